import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeParleyFolder, type ParleyFolder } from '../testing/parley-folder.ts';
import { getTask, send, taskOf, urlOf } from '../testing/talk.ts';

/** Does what the message says, and does not wait for it. */
const CARELESS = `
export default {
  async execute(turn, sink) {
    const [{ text }] = turn.message.parts;
    if (text === 'reject') void Promise.reject(new Error('forgotten'));
    if (text === 'throw') setTimeout(() => { throw new Error('in a timer'); });
    if (text === 'wait') await new Promise((_resolve, reject) => {
      turn.signal.addEventListener('abort', () => reject(turn.signal.reason));
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
  },
};
`;

async function carelessAgent(source = CARELESS): Promise<ParleyFolder> {
  const folder = await makeParleyFolder();
  await writeFile(join(folder.path, 'agent.mjs'), source);
  return folder;
}

test('a rejection that nobody waits for is reported in one line, and the server goes on', async () => {
  const folder = await carelessAgent();
  const parley = folder.serve('--agent', './agent.mjs');
  const url = await urlOf(parley);
  expect((await taskOf(await send(url, 'reject'))).status.state).toBe('TASK_STATE_COMPLETED');
  const [line] = await parley.printed(/^\{.*forgotten.*\}$/m);
  expect(JSON.parse(line)).toMatchObject({ level: 'error', message: expect.stringContaining('goes on') });
  expect((await taskOf(await send(url, 'hello'))).status.state).toBe('TASK_STATE_COMPLETED');
  expect(await parley.stop()).toBe(0);
});

test(
  'an error that nobody catches stops the server as a signal does, with code 1',
  { timeout: 60_000 },
  async () => {
    const folder = await carelessAgent();
    const parley = folder.serve('--agent', './agent.mjs', '--grace', '1');
    const url = await urlOf(parley);
    const waiting = await taskOf(await send(url, 'wait', { immediately: true }));
    await send(url, 'throw', { immediately: true });
    expect(await parley.ended).toBe(1);
    expect(parley.output()).toMatch(/^\{.*"level":"error".*in a timer.*\}$/m);
    expect(parley.output()).toContain('Stopping, waiting up to 1 s');

    const found = await getTask(await urlOf(folder.serve('--agent', './agent.mjs')), waiting.id);
    expect(found.status.state).toBe('TASK_STATE_FAILED');
    expect(JSON.stringify(found.status.message)).toContain('stopped');
  },
);

test('an error that nobody catches while the server starts ends it', async () => {
  const folder = await carelessAgent(
    'setTimeout(() => { throw new Error("too early"); }); await new Promise(() => {});',
  );
  const parley = folder.serve('--agent', './agent.mjs');
  expect(await parley.ended).toBe(1);
  expect(parley.output()).toContain('too early');
  expect(parley.output()).toContain('The server could not start');
});
