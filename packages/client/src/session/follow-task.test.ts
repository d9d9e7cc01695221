import { expect, onTestFinished, test } from 'vitest';
import { A2AAgents } from '../agents/a2a-agents.ts';
import { startPeer, type PeerAnswer } from '../testing/start-peer.ts';
import { A2ASession } from './a2a-session.ts';

function openSession(url: string): A2ASession {
  const agents = new A2AAgents({ peer: { url } });
  onTestFinished(() => agents.close());
  return new A2ASession(agents);
}

function taskIn(state: string, fields: object = {}): object {
  return { id: 't-1', contextId: 'c-1', status: { state }, ...fields };
}

const WORKING = taskIn('TASK_STATE_WORKING');
/** As an agent reports it that does not remember when the status changed. */
const workingNow = () => ({ state: 'TASK_STATE_WORKING', timestamp: new Date().toISOString() });

const STREAMS: readonly [ending: string, answer: () => PeerAnswer][] = [
  ['the task', () => ({ events: [{ task: WORKING }] })],
  ['the task with the current time', () => ({ events: [{ task: { ...WORKING, status: workingNow() } }] })],
  [
    'a status that is known',
    () => ({ events: [{ statusUpdate: { taskId: 't-1', contextId: 'c-1', status: workingNow() } }] }),
  ],
  ['the task and a broken connection', () => ({ events: [{ task: WORKING }], end: 'cut' })],
];

test.each(STREAMS)('streams that end after %s are reopened ever more slowly', async (_, stream) => {
  const { url, calls } = await startPeer({
    version: '1.0',
    answer: ({ method }) => {
      if (method === 'SubscribeToTask') return stream();
      return { result: method === 'SendMessage' ? { task: WORKING } : WORKING };
    },
  });
  const task = await openSession(url).sendMessage('peer', 'hello', { timeout: 2 });
  expect(task).toMatchObject({ kind: 'task', status: { state: 'working' } });
  // After 50 to 100 ms, then twice as long each time.
  expect(calls.filter(({ method }) => method === 'SubscribeToTask').length).toBeLessThan(9);
});

test('streams that end after one new event are reopened soon', async () => {
  let step = 0;
  const { url } = await startPeer({
    version: '1.0',
    answer: ({ method }) => {
      if (method === 'SubscribeToTask') step += 1;
      const parts = Array.from({ length: step }, () => ({ text: 'x' }));
      const task = taskIn(step < 12 ? 'TASK_STATE_WORKING' : 'TASK_STATE_COMPLETED', {
        artifacts: [{ artifactId: 'a', parts }],
      });
      if (method === 'SubscribeToTask') return { events: [{ task }] };
      return { result: method === 'SendMessage' ? { task } : task };
    },
  });
  const task = await openSession(url).sendMessage('peer', 'hello', { timeout: 10 });
  expect(task).toMatchObject({ status: { state: 'completed' } });
});

const NOTICE = 'urn:holdword:client:notice:v1';

test.each([
  [
    'never answers a poll',
    0,
    /^This is the task as it was last seen\. The agent has not answered for \d seconds?\./,
  ],
  ['answers one poll and not the next', 1, /The agent has not answered for \d seconds?\./],
])('an agent that %s is said to be silent', async (_, answered, notice) => {
  let polls = 0;
  const { url } = await startPeer({
    version: '1.0',
    card: { capabilities: { streaming: false } },
    answer: ({ method }) => {
      if (method === 'SendMessage') return { result: { task: WORKING } };
      polls += 1;
      return polls > answered ? 'no response' : { result: WORKING };
    },
  });
  const task = await openSession(url).sendMessage('peer', 'hello', { timeout: 4 });
  expect(task).toMatchObject({
    status: { state: 'working' },
    metadata: { [NOTICE]: expect.stringMatching(notice) as string },
  });
});

test('an agent whose stream is silent is only working', async () => {
  const { url } = await startPeer({
    version: '1.0',
    answer: ({ method }) => {
      if (method === 'SubscribeToTask') return { events: [{ task: WORKING }], end: 'open' };
      return { result: method === 'SendMessage' ? { task: WORKING } : WORKING };
    },
  });
  const task = await openSession(url).sendMessage('peer', 'hello', { timeout: 1.5 });
  expect(task).toMatchObject({ status: { state: 'working' } });
  expect(task).not.toHaveProperty('metadata');
});
