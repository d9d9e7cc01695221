import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openMemoryStore } from '@holdword/store';
import { expect, onTestFinished, test } from 'vitest';
import { collectingLog } from '../../engine/testing/start-test-engine.ts';
import { journalOutline } from '../../engine/testing/read-journal.ts';
import {
  requestContext,
  send,
  sendForTask,
  startTestOperations,
  taskIn,
} from '../../operations/testing/start-test-operations.ts';
import { failure, IMMEDIATELY } from '../cli-agent/testing/conversation.ts';
import { fakeProgram } from '../cli-agent/testing/fake-program.ts';
import { temporaryFolder } from '../cli-agent/testing/start-cli-agent.ts';
import { OpenClawAgent } from './openclaw-agent.ts';
import type { OpenClawOptions } from './openclaw-options.ts';
import { createFakeGateway, type FakeGateway } from './testing/start-fake-gateway.ts';

const REFUSAL =
  'A Gateway is running for this state directory (pid 7, port 18789). Run without --local to use it, or stop the Gateway first.';

/** The agent `openclaw` next to a gateway, with a command that refuses to run because of it. */
async function startOpenClaw(gateway: FakeGateway, options: OpenClawOptions = {}, store = openMemoryStore()) {
  const folder = await temporaryFolder();
  const refusal = join(folder, 'refusal.json');
  await writeFile(refusal, JSON.stringify({ ok: false, error: { type: 'cli_error', message: REFUSAL } }));
  const logged: string[] = [];
  const agent = await OpenClawAgent.open(
    {
      openclawPath: await fakeProgram(`cat '${refusal}'; exit 1`),
      gateway: { url: `ws://127.0.0.1:${gateway.port}` },
      ...options,
    },
    { processFolder: join(folder, 'processes'), sessions: store, log: collectingLog(logged) },
  );
  onTestFinished(() => agent.close());
  return { ...(await startTestOperations(agent, { store })), store, logged };
}

const answered = {
  state: 'TASK_STATE_COMPLETED',
  message: { parts: [{ text: 'From the gateway.' }], metadata: { via: 'gateway' } },
};

test('a message waits for a gateway that is starting', async () => {
  const gateway = await createFakeGateway();
  gateway.starting = true;
  await gateway.listen();
  const { operations, store, logged } = await startOpenClaw(gateway);
  const { id } = taskIn(await operations.sendMessage(send('hello', {}, IMMEDIATELY), requestContext()));
  await expect.poll(() => journalOutline(store, id)).toContain('submitted Waiting: OpenClaw is starting.');
  gateway.starting = false;
  await expect.poll(async () => (await store.readTask(id))?.state).toBe('TASK_STATE_COMPLETED');
  expect((await operations.getTask({ id }, requestContext())).status).toMatchObject(answered);
  expect(gateway.messages).toEqual(['hello']);
  expect(logged.join('\n')).not.toContain('cannot be used');
});

test('a message that a starting gateway does not run yet is sent again', async () => {
  const gateway = await createFakeGateway();
  gateway.runsUnavailable = true;
  await gateway.listen();
  const { operations } = await startOpenClaw(gateway);
  const sent = sendForTask(operations, 'hello');
  setTimeout(() => (gateway.runsUnavailable = false), 300);
  expect((await sent).status).toMatchObject(answered);
});

test('a message waits for a gateway no longer than its time limit, and the reason is true', async () => {
  const gateway = await createFakeGateway();
  gateway.starting = true;
  await gateway.listen();
  const { operations } = await startOpenClaw(gateway, { timeout: 0.5 });
  expect((await sendForTask(operations, 'hello')).status).toMatchObject(
    failure(
      /^OpenClaw timed out: its gateway was still starting after 0\.5 s\. Send the message again later\.$/,
    ),
  );
});

test('a message that waits for a gateway is run by the next server', async () => {
  const gateway = await createFakeGateway();
  gateway.starting = true;
  await gateway.listen();
  const { operations, engine, store } = await startOpenClaw(gateway);
  const { id } = taskIn(await operations.sendMessage(send('hello', {}, IMMEDIATELY), requestContext()));
  await expect.poll(() => journalOutline(store, id)).toContain('submitted Waiting: OpenClaw is starting.');
  await engine.stop(60_000);
  gateway.starting = false;
  await startOpenClaw(gateway, {}, store);
  await expect.poll(async () => (await store.readTask(id))?.state).toBe('TASK_STATE_COMPLETED');
  expect(gateway.messages).toEqual(['hello']);
});

test('a message that the command refuses because of a gateway goes to the gateway', async () => {
  const gateway = await createFakeGateway();
  const { operations, store } = await startOpenClaw(gateway);
  const { id } = taskIn(await operations.sendMessage(send('hello', {}, IMMEDIATELY), requestContext()));
  await expect.poll(() => journalOutline(store, id)).toContain('submitted Waiting: OpenClaw is starting.');
  await gateway.listen();
  await expect.poll(async () => (await store.readTask(id))?.state).toBe('TASK_STATE_COMPLETED');
  expect((await operations.getTask({ id }, requestContext())).status).toMatchObject(answered);
});

test('a gateway that owns the state and cannot be reached is the reason of the failure', async () => {
  const gateway = await createFakeGateway();
  const { operations } = await startOpenClaw(gateway, { timeout: 0.5 });
  expect((await sendForTask(operations, 'hello')).status).toMatchObject(
    failure(/^OpenClaw runs as a gateway on its machine, and this server cannot reach it\./),
  );
});
