import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHoldwordFolder, type HoldwordFolder } from '../testing/holdword-folder.ts';
import { getTask, send, taskOf, urlOf } from '../testing/talk.ts';

/** Does what the message says without awaiting it. */
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

async function carelessAgent(source = CARELESS): Promise<HoldwordFolder> {
  const folder = await makeHoldwordFolder();
  await writeFile(join(folder.path, 'agent.mjs'), source);
  return folder;
}

test('an unhandled rejection is logged in one line, and the server keeps running', async () => {
  const folder = await carelessAgent();
  const holdword = folder.serve('--agent', './agent.mjs');
  const url = await urlOf(holdword);
  expect((await taskOf(await send(url, 'reject'))).status.state).toBe('TASK_STATE_COMPLETED');
  const [line] = await holdword.printed(/^\{.*forgotten.*\}$/m);
  expect(JSON.parse(line)).toMatchObject({
    level: 'error',
    message: expect.stringContaining('keeps running'),
  });
  expect((await taskOf(await send(url, 'hello'))).status.state).toBe('TASK_STATE_COMPLETED');
  expect(await holdword.stop()).toBe(0);
});

test('an uncaught exception stops the server gracefully, with code 1', { timeout: 60_000 }, async () => {
  const folder = await carelessAgent();
  const holdword = folder.serve('--agent', './agent.mjs', '--grace', '1');
  const url = await urlOf(holdword);
  const waiting = await taskOf(await send(url, 'wait', { immediately: true }));
  await send(url, 'throw', { immediately: true });
  expect(await holdword.ended).toBe(1);
  expect(holdword.output()).toMatch(/^\{.*"level":"error".*in a timer.*\}$/m);
  expect(holdword.output()).toContain('Stopping, waiting up to 1 s');

  const found = await getTask(await urlOf(folder.serve('--agent', './agent.mjs')), waiting.id);
  expect(found.status.state).toBe('TASK_STATE_FAILED');
  expect(JSON.stringify(found.status.message)).toContain('stopped');
});

test('a signal ends a start that hangs in the agent module', async () => {
  const folder = await carelessAgent('console.log("loading"); await new Promise(() => {});');
  const holdword = folder.serve('--agent', './agent.mjs', '--log-level', 'info');
  await holdword.printed(/loading/);
  const asked = performance.now();
  expect(await holdword.stop()).toBe(0);
  expect(performance.now() - asked).toBeLessThan(10_000);
  expect(holdword.output()).toContain('Stopping before the server has started.');
});

test.each(['wait', 'hello'])('every line of the log is JSON, also at a stop after "%s"', async (text) => {
  const folder = await carelessAgent();
  const holdword = folder.serve('--agent', './agent.mjs', '--grace', '1', '--log-level', 'info');
  await send(await urlOf(holdword), text, { immediately: true });
  expect(await holdword.stop()).toBe(0);
  const lines = holdword.errors().split('\n');
  expect(lines.pop()).toBe('');
  const messages = lines.map((line) => (JSON.parse(line) as { message: string }).message);
  expect(messages).toContainEqual(expect.stringMatching(/^Stopping/));
});

test('an uncaught exception during the start ends the server', async () => {
  const folder = await carelessAgent(
    'setTimeout(() => { throw new Error("too early"); }); await new Promise(() => {});',
  );
  const holdword = folder.serve('--agent', './agent.mjs');
  expect(await holdword.ended).toBe(1);
  expect(holdword.output()).toContain('too early');
  expect(holdword.output()).toContain('The server could not start');
});
