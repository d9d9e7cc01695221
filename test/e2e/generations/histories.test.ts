import { join } from 'node:path';
import type { StreamResponse, Task } from '@holdword/protocol';
import { RESUME_EXTENSION } from '@holdword/protocol';
import { serveRuntime, startRuntime } from '@holdword/runtime';
import { openSqliteStore } from '@holdword/store';
import { expect, onTestFinished, test } from 'vitest';
import { campaignSeed, Random } from '../../chaos/random.ts';
import { BINDINGS, type Binding } from '../../support/drivers/driver.ts';
import { openDrivers } from '../../support/drivers/open-drivers.ts';
import { type NextDriver, openNext } from '../../support/drivers/raw-next.ts';
import { scriptedAgent } from '../../support/scripted-agent.ts';
import { startWebhook } from '../../support/start-webhook.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { allEvents, say, taskOf } from '../conversation.ts';
import { generationIn, randomScript } from './random-history.ts';

watchForLeaks();

const HISTORIES = 12;
const RESUME = { 'a2a-extensions': RESUME_EXTENSION };

/** A server on a folder, over all bindings. */
async function startServer(folder: string) {
  const store = await openSqliteStore({ folder });
  const runtime = await startRuntime({
    store,
    executor: scriptedAgent(),
    push: { allowPrivate: ['127.0.0.0/8'] },
  });
  const served = await serveRuntime({ runtime, port: 0, grpcPort: 0 });
  const target = {
    baseUrl: served.url,
    jsonRpcUrl: served.jsonRpcUrl,
    restUrl: served.restUrl,
    grpcAddress: served.grpcAddress ?? '',
  };
  const next = Object.fromEntries(BINDINGS.map((binding) => [binding, openNext(target, binding)])) as Record<
    Binding,
    NextDriver
  >;
  const current = openDrivers(target);
  return {
    next,
    current,
    async stop() {
      for (const driver of Object.values(next)) driver.close();
      await current.close();
      await served.close({ graceMilliseconds: 0 });
      await runtime.stop({ graceMilliseconds: 0 });
      await store.close();
    },
  };
}

test('tasks and events of random histories have the generations 1 to n, over all bindings and restarts', async () => {
  const random = new Random(campaignSeed());
  const folder = await temporaryFolder();
  const webhook = await startWebhook();
  let server = await startServer(join(folder.path, 'data'));
  onTestFinished(async () => {
    await server.stop();
    await webhook.close();
    await folder.remove();
  });

  for (let history = 0; history < HISTORIES; history += 1) {
    const name = `history ${history} of seed ${random.seed}`;
    const webhookName = `history-${history}`;
    const turns = random.integer(1, 3);
    let taskId: string | undefined;
    let last = 0;
    for (let turn = 1; turn <= turns; turn += 1) {
      const driver = server.next[random.pick(BINDINGS)];
      const request = say(
        randomScript(random, turn === turns),
        taskId === undefined ? {} : { taskId },
        taskId === undefined
          ? { configuration: { taskPushNotificationConfig: { url: webhook.url(webhookName) } } }
          : {},
      );
      if (random.chance(0.7)) {
        const generations: number[] = [];
        for await (const event of driver.stream(request)) {
          if ('task' in event) taskId = event.task.id;
          generations.push(generationIn(event));
        }
        // The first frame of a later turn is the task after it was continued.
        const first = last === 0 ? 1 : last + 1;
        expect(generations, name).toEqual(generations.map((_, index) => first + index));
        last = generations.at(-1) ?? 0;
      } else {
        const task = taskOf(await driver.send(request));
        taskId = task.id;
        expect(Number(task.generation), name).toBeGreaterThan(last);
        last = Number(task.generation);
      }
      if (random.chance(0.3)) {
        await server.stop();
        server = await startServer(join(folder.path, 'data'));
      }
      for (const binding of BINDINGS) {
        const reader = server.next[binding];
        const id = taskId as string;
        expect((await reader.get({ id })).generation, name).toBe(String(last));
        expect((await reader.get({ id, historyLength: 0 })).generation, name).toBe(String(last));
        for (const filter of [{}, { includeArtifacts: true }, { historyLength: 5 }])
          expect(await listedGeneration(reader, id, filter), name).toBe(String(last));
      }
    }

    const id = taskId as string;
    const expected = Array.from({ length: last }, (_, index) => index + 1);
    const ended = await server.next.JSONRPC.get({ id });
    for (const binding of BINDINGS) {
      const headers = { ...RESUME, [binding === 'GRPC' ? 'holdword-resume-after' : 'last-event-id']: '0' };
      const events = await collect(server.next[binding].subscribe({ id }, { headers }));
      expect(events.map(generationIn), name).toEqual(expected);
      // To the byte what they always were: the driver accepts no field that 1.0 does not have.
      const older = await server.current.open({ binding, version: '1.0', client: 'raw' });
      expect(await allEvents(older.subscribe({ id }, { headers })), name).toEqual(
        events.map(withoutGeneration),
      );
      expect(await older.get({ id }), name).toEqual({ ...ended, generation: undefined });
      await older.list({ includeArtifacts: true });
    }
    await waitUntil('all notifications', () => webhook.notifications(webhookName).length >= last);
    const pushed = webhook.notifications(webhookName);
    expect(
      pushed.map(({ body }) => generationIn(JSON.parse(body) as StreamResponse)),
      name,
    ).toEqual(expected);
    expect(new Set(pushed.map(({ headers }) => headers['a2a-version']))).toEqual(new Set(['1.1']));
  }
}, 120_000);

test('a canceled task has the generation of its cancellation', async () => {
  const folder = await temporaryFolder();
  const server = await startServer(join(folder.path, 'data'));
  onTestFinished(async () => {
    await server.stop();
    await folder.remove();
  });
  for (const binding of BINDINGS) {
    const driver = server.next[binding];
    const { id } = taskOf(await driver.send(say('ask what?')));
    const { generation } = await driver.get({ id });
    const canceled = await driver.cancel({ id });
    expect(canceled).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
    expect(Number(canceled.generation)).toBe(Number(generation) + 1);
    expect((await driver.cancel({ id })).generation).toBe(canceled.generation);
  }
});

async function listedGeneration(driver: NextDriver, id: string, filter: object): Promise<string | undefined> {
  const { tasks } = await driver.list({ pageSize: 100, ...filter });
  return tasks.find((task: Task) => task.id === id)?.generation;
}

async function collect(events: AsyncIterable<StreamResponse>): Promise<StreamResponse[]> {
  const all: StreamResponse[] = [];
  for await (const event of events) all.push(event);
  return all;
}

function withoutGeneration(event: StreamResponse): unknown {
  return JSON.parse(
    JSON.stringify(event, (name, value: unknown) => (name === 'generation' ? undefined : value)),
  );
}
