import { expect, onTestFinished, test } from 'vitest';
import { A2AAgents } from '../agents/a2a-agents.ts';
import { A2ASession } from '../session/a2a-session.ts';
import { type PeerAnswer, startPeer } from '../testing/start-peer.ts';
import { A2ATools } from '../tools/a2a-tools.ts';
import { OwnEvents } from './own-events.ts';

const WORKING = { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_WORKING' } };
const FROM_OTHER = {
  state: 'TASK_STATE_COMPLETED',
  message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'from OTHER' }] },
};
const OTHER_TASK = { id: 't-other', contextId: 'c-1', status: FROM_OTHER };

const FOREIGN: readonly [what: string, event: object][] = [
  ['a status of another task', { statusUpdate: { taskId: 't-other', contextId: 'c-1', status: FROM_OTHER } }],
  ['a status of another context', { statusUpdate: { taskId: 't-1', contextId: 'c-2', status: FROM_OTHER } }],
  [
    'an artifact of another task',
    {
      artifactUpdate: {
        taskId: 't-other',
        contextId: 'c-1',
        artifact: { artifactId: 'a', parts: [{ text: 'from OTHER' }] },
      },
    },
  ],
  ['another task', { task: OTHER_TASK }],
  ['the task in another context', { task: { ...OTHER_TASK, id: 't-1', contextId: 'c-2' } }],
];

test.each(FOREIGN)('%s is not one of the task', (_, event) => {
  const own = new OwnEvents('t-1', 'c-1');
  expect(own.accepts({ task: WORKING })).toBe(true);
  expect(own.accepts(event)).toBe(false);
  expect(own.foreign).toBe(1);
});

test('ids that are not given are learned, and may be left out', () => {
  const own = new OwnEvents('t-1');
  expect(own.accepts({ statusUpdate: { status: {} } })).toBe(true);
  expect(own.accepts({ task: WORKING })).toBe(true);
  expect(own.accepts({ artifactUpdate: { taskId: '', contextId: '' } })).toBe(true);
  expect(own.accepts({ statusUpdate: { taskId: 't-1', contextId: 'c-2' } })).toBe(false);
});

function openSession(url: string): A2ASession {
  const agents = new A2AAgents({ peer: { url } });
  onTestFinished(() => agents.close());
  return new A2ASession(agents);
}

function withText(text: string): object {
  return { artifacts: [{ artifactId: 'own', parts: [{ text }] }] };
}

test.each(FOREIGN)('%s is neither shown nor taken for the task that is followed', async (_, event) => {
  const done = { ...WORKING, status: { state: 'TASK_STATE_COMPLETED' }, ...withText('own') };
  let streams = 0;
  const { url } = await startPeer({
    version: '1.0',
    answer: ({ method }): PeerAnswer => {
      if (method === 'SendMessage') return { result: { task: WORKING } };
      if (method === 'GetTask') return { result: streams < 2 ? WORKING : done };
      streams += 1;
      return { events: [{ task: WORKING }, event, ...(streams < 2 ? [] : [{ task: done }])] };
    },
  });
  const seen: unknown[] = [];
  const answer = await openSession(url).sendMessage('peer', 'hello', {
    timeout: 10,
    onUpdate: (update) => void seen.push(update),
  });
  expect(answer).toMatchObject({
    id: 't-1',
    contextId: 'c-1',
    status: { state: 'completed' },
    artifacts: [{ artifactId: 'own' }],
    metadata: {
      'urn:holdword:client:notice:v1':
        'The agent also sent 2 events of another task or context, which were left out. Report this to its operator.',
    },
  });
  expect(JSON.stringify([seen, answer])).not.toMatch(/from OTHER|t-other|c-2/);
});

test('a model is told of events that were left out', async () => {
  const { url } = await startPeer({
    version: '1.0',
    answer: ({ method }): PeerAnswer => {
      if (method === 'SendMessage') return { result: { task: WORKING } };
      if (method === 'GetTask') return { result: WORKING };
      return { events: [{ task: WORKING }, FOREIGN[0]?.[1]], end: 'open' };
    },
  });
  const reply = await new A2ATools(openSession(url)).sendMessage('peer', 'hello', null, null, 1);
  expect(reply).toMatchObject({
    status: { state: 'working' },
    _notice: expect.stringContaining('1 event of'),
  });
});

const OTHER_ANSWERS = { result: OTHER_TASK };

test.each(['getTask', 'cancelTask'] as const)('%s rejects another task', async (method) => {
  const { url } = await startPeer({ version: '1.0', answer: () => OTHER_ANSWERS });
  await expect(openSession(url)[method]('peer', 't-1')).rejects.toMatchObject({
    code: 'INVALID_AGENT_RESPONSE',
    message: expect.stringContaining('expected the task "t-1", found "t-other"') as string,
  });
});

test('a poll that answers with another task ends the call, and names the own one', async () => {
  const { url } = await startPeer({
    version: '1.0',
    card: { capabilities: { streaming: false } },
    answer: ({ method }) => (method === 'SendMessage' ? { result: { task: WORKING } } : OTHER_ANSWERS),
  });
  await expect(openSession(url).sendMessage('peer', 'hello')).rejects.toMatchObject({
    code: 'INVALID_AGENT_RESPONSE',
    metadata: { taskId: 't-1' },
  });
});

test('a task stays in its context, whatever a poll says', async () => {
  const done = { ...WORKING, contextId: 'c-2', status: { state: 'TASK_STATE_COMPLETED' } };
  const { url } = await startPeer({
    version: '1.0',
    card: { capabilities: { streaming: false } },
    answer: ({ method }) => ({ result: method === 'SendMessage' ? { task: WORKING } : done }),
  });
  const seen: unknown[] = [];
  const answer = await openSession(url).sendMessage('peer', 'hello', {
    onUpdate: (update) => void seen.push(update),
  });
  expect(answer).toMatchObject({ contextId: 'c-1', status: { state: 'completed' } });
  expect(JSON.stringify(seen)).not.toContain('c-2');
});
