import { isTerminal, RESUME_EXTENSION, type StreamResponse } from '@holdword/protocol';
import { usePostgres } from '@holdword/store/testing/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDriver } from '../../support/drivers/open-driver.ts';
import type { ServedHoldword } from '../../support/spawn-holdword.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { outline, sayAndLeave, sendForTask } from '../conversation.ts';
import { prepareReplicas, type Replicas } from './start-replicas.ts';

watchForLeaks();

const postgres = usePostgres();
const RAW = { binding: 'JSONRPC', version: '1.0', client: 'raw' } as const;
/** The lease time of these replicas is three seconds. */
const TAKEN_OVER_MILLISECONDS = 15_000;

let replicas: Replicas;
beforeAll(async () => {
  replicas = await prepareReplicas(postgres());
});
afterAll(() => replicas.remove());

test('a reader that reconnects with its cursor misses nothing while every replica is replaced', async () => {
  const [first, second] = await Promise.all([replicas.start(), replicas.start()]);
  const gate = replicas.newGate();
  const { id } = await sendForTask(await openDriver(first.target, RAW), sayAndLeave(`gate ${gate.file}`));
  await waitUntil('the agent at its gate', () => gate.isReached);
  const reader = new ReturningReader(id);

  const atSecond = reader.read(second);
  await waitUntil('the first events', () => reader.last === 3);
  expect(await second.stop()).toBe(0);
  await atSecond;

  const third = await replicas.start();
  const atThird = reader.read(third);
  // The replica that runs the task stops; its agent can resume in another one.
  expect(await first.stop()).toBe(0);
  await waitUntil('the task to be taken over', () => reader.last === 6, TAKEN_OVER_MILLISECONDS);
  gate.open();
  await atThird;

  expect(reader.sequences).toEqual(reader.sequences.map((_, index) => index + 1));
  expect(outline(reader.events)).toEqual([
    'task submitted',
    'working',
    'artifact work begun ',
    'artifact+ work last words',
    'working The server was stopped. The agent resumes when it starts again.',
    'working',
    'artifact+ work finished',
    'completed Done after a restart.',
  ]);
});

test('a task whose process was killed resumes in another one within the lease time', async () => {
  const [first, second] = await Promise.all([replicas.start(), replicas.start()]);
  const gate = replicas.newGate();
  const { id } = await sendForTask(await openDriver(first.target, RAW), sayAndLeave(`gate ${gate.file}`));
  await waitUntil('the agent at its gate', () => gate.isReached);
  gate.open();
  await first.kill();
  const driver = await openDriver(second.target, RAW);
  const task = await waitUntil(
    'the end of the task',
    async () => {
      const found = await driver.get({ id });
      return isTerminal(found.status.state) ? found : undefined;
    },
    TAKEN_OVER_MILLISECONDS,
  );
  expect(task.status.state).toBe('TASK_STATE_COMPLETED');
});

/** Reads a task over several connections, each from where the previous one was interrupted. */
class ReturningReader {
  readonly #taskId: string;
  readonly events: StreamResponse[] = [];
  readonly sequences: number[] = [];

  constructor(taskId: string) {
    this.#taskId = taskId;
  }

  get last(): number {
    return this.sequences.at(-1) ?? 0;
  }

  /** Reads from one replica until its stream ends. */
  async read(holdword: ServedHoldword): Promise<void> {
    const driver = await openDriver(holdword.target, RAW);
    const cursor = this.last;
    const headers = { 'a2a-extensions': RESUME_EXTENSION, 'last-event-id': String(cursor) };
    for await (const { id, event } of driver.subscribe({ id: this.#taskId }, { headers })) {
      // A client that reconnects gets the task as of the cursor first.
      if (Number(id) <= cursor) continue;
      this.events.push(event);
      this.sequences.push(Number(id));
    }
  }
}
