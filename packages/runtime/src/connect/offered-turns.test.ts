import { openPostgresStore, type Store } from '@holdword/store';
import { usePostgres } from '@holdword/store/testing/postgres';
import { expect, onTestFinished, test } from 'vitest';
import type { Executor } from '../executors/executor.ts';
import { startTestHost, stateOf, textOf, type TestHost } from './testing/start-test-host.ts';

const postgres = usePostgres();

/** Two hosts with one database. Their agent has one token. */
async function startHosts(): Promise<{ here: TestHost; there: TestHost }> {
  const schema = postgres().newSchema();
  const open = async (): Promise<Store> => {
    const store = await openPostgresStore({ url: postgres().url, schema });
    onTestFinished(() => store.close());
    return store;
  };
  const here = await startTestHost({ store: await open() });
  const there = await startTestHost({ store: await open(), token: here.token });
  return { here, there };
}

const echo: Executor['execute'] = async ({ message }, sink) => sink.complete(message.parts);

test('a worker that is connected to one host serves tasks that are sent to the other', async () => {
  const { here, there } = await startHosts();
  await there.connect(echo);
  const task = await here.ask('hello');
  expect([stateOf(task), textOf(task)]).toEqual(['COMPLETED', 'hello']);
});

test('tasks that waited at one host are run by a worker that comes to the other, in order and once', async () => {
  const { here, there } = await startHosts();
  const begun: string[] = [];
  const texts = Array.from({ length: 12 }, (_, number) => `${number}`);
  const sent: string[] = [];
  for (const [index, text] of texts.entries()) {
    const host = index % 2 === 0 ? here : there;
    sent.push((await host.send(text, { contextId: 'one' })).id);
  }
  await there.connect(async (turn, sink) => {
    begun.push(turn.message.parts[0]?.text ?? '');
    await echo(turn, sink);
  });
  for (const id of sent) await here.taskWhen(id, (task) => stateOf(task) === 'COMPLETED');
  expect(begun).toEqual(texts);
});

test('each of many tasks is run once, whichever host it was sent to, by workers at both', async () => {
  const { here, there } = await startHosts();
  const begun = new Map<string, number>();
  const count: Executor['execute'] = async (turn, sink) => {
    begun.set(turn.taskId, (begun.get(turn.taskId) ?? 0) + 1);
    await echo(turn, sink);
  };
  await Promise.all([here, there].map((host) => host.connect(count, { slots: 2 })));
  const tasks = await Promise.all(
    Array.from({ length: 40 }, (_, index) => (index % 4 === 0 ? there : here).ask(`${index}`)),
  );
  expect(tasks.map(stateOf)).toEqual(tasks.map(() => 'COMPLETED'));
  expect([...begun.values()]).toEqual(tasks.map(() => 1));
});

test('a worker whose host is gone continues its turn at the other host', async () => {
  const { here, there } = await startHosts();
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  let runs = 0;
  await here.connect(async (_turn, sink) => {
    runs += 1;
    await sink.artifact({ artifactId: 'a', parts: 'one' });
    await sink.flush();
    begun.resolve();
    await goOn.promise;
    await sink.complete('two');
  });
  const { id } = await here.send('hello');
  await begun.promise;
  await here.stop();
  // The address of the host leads to the other one now, as a load balancer would do it.
  await there.serveAlso(here.port);
  goOn.resolve();
  const task = await there.taskWhen(id, (seen) => stateOf(seen) === 'COMPLETED');
  expect([textOf(task), task.artifacts?.[0]?.parts[0]?.text, runs]).toEqual(['two', 'one', 1]);
});

test('a task that was taken over from another host is canceled from either', async () => {
  const { here, there } = await startHosts();
  const begun = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  await there.connect(async ({ signal }) => {
    signal.addEventListener('abort', () => aborted.resolve());
    begun.resolve();
    await aborted.promise;
  });
  const { id } = await here.send('hello');
  await begun.promise;
  await here.call('CancelTask', { id });
  await aborted.promise;
  expect(stateOf(await there.task(id))).toBe('CANCELED');
});
