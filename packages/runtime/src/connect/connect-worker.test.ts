import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textIn } from 'node:stream/consumers';
import { openSqliteStore } from '@holdword/store';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RetryableError } from '../executors/executor-errors.ts';
import type { Executor } from '../executors/executor.ts';
import { startTestHost, stateOf, textOf } from './testing/start-test-host.ts';

const echo: Executor = {
  card: { name: 'Echo', description: 'Repeats.' },
  execute: async (turn, sink) => {
    await sink.artifact({ artifactId: 'echo', parts: turn.message.parts });
    await sink.complete('Done.');
  },
};

/** An agent that says its name. */
function named(name: string): Executor['execute'] {
  return async (_turn, sink) => sink.complete(name);
}

/** An agent that waits until the test lets it go. */
function gate(): { opened: Promise<void>; open: () => void; entered: Promise<void>; enter: () => void } {
  const opened = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  return { opened: opened.promise, open: opened.resolve, entered: entered.promise, enter: entered.resolve };
}

test('a caller reaches an agent that has no address', async () => {
  const host = await startTestHost();
  const worker = await host.connect(echo);
  expect(worker).toMatchObject({ agent: 'laptop', url: `${host.url}/agents/laptop` });
  const task = await host.ask('hello');
  expect(stateOf(task)).toBe('COMPLETED');
  expect(task.artifacts).toMatchObject([{ artifactId: 'echo', parts: [{ text: 'hello' }] }]);
  const card = await host.card();
  expect(card).toMatchObject({ name: 'Echo' });
  const presence = card.capabilities.extensions.find(({ uri }: { uri: string }) =>
    uri.endsWith('connect:v1'),
  );
  expect(presence?.params).toMatchObject({ online: true, workers: 1 });
});

test('a worker learns who asks, what was said before, and can refuse', async () => {
  const host = await startTestHost();
  await host.connect(
    async (turn, sink) => {
      const before = await turn.contextHistory();
      await sink.complete(`${turn.owner.caller}: ${before.map(({ parts }) => parts[0]?.text).join(', ')}`);
    },
    { refuse: ({ message }) => (message.parts[0]?.text === 'no' ? 'Not for you.' : undefined) },
  );
  const first = await host.ask('one');
  const second = await host.ask('two', { contextId: first.contextId });
  expect(textOf(second)).toBe('anonymous: one, anonymous: ');
  const refused = await host.ask('no');
  expect([stateOf(refused), textOf(refused)]).toEqual(['REJECTED', 'Not for you.']);
});

test('a question is answered in the next turn', async () => {
  const host = await startTestHost();
  await host.connect(async (turn, sink) => {
    if (turn.message.parts[0]?.text === 'start') await sink.askInput('Which one?');
    else await sink.complete(`You said ${turn.message.parts[0]?.text}.`);
  });
  const asked = await host.ask('start');
  expect([stateOf(asked), textOf(asked)]).toEqual(['INPUT_REQUIRED', 'Which one?']);
  expect(textOf(await host.ask('that', { taskId: asked.id }))).toBe('You said that.');
});

test('a worker learns that a task was canceled which waited for an answer', async () => {
  const host = await startTestHost();
  const released = Promise.withResolvers<string>();
  await host.connect({
    execute: (_turn, sink) => sink.askInput('Which one?'),
    release: (taskId) => released.resolve(taskId),
  });
  const { id } = await host.ask('hello');
  await host.call('CancelTask', { id });
  expect(await released.promise).toBe(id);
});

test('tasks for an agent that is away wait, and say since when', async () => {
  const host = await startTestHost();
  const task = await host.send('hello');
  const waiting = await host.taskWhen(task.id, ({ status }) => status.message !== undefined);
  expect(stateOf(waiting)).toBe('SUBMITTED');
  expect(textOf(waiting)).toMatch(/^Agent laptop is offline\. Waiting since 20\d\d-/);
  await host.connect(echo);
  expect(stateOf(await host.taskWhen(task.id, (seen) => stateOf(seen) === 'COMPLETED'))).toBe('COMPLETED');
});

test.each([
  ['the host', { waitMilliseconds: 50 }, {}],
  ['the sender', {}, { metadata: { 'urn:holdword:a2a:connect:v1': { waitSeconds: 0.05 } } }],
])('a wait ends at the deadline of %s', async (_who, options, message) => {
  const host = await startTestHost(options);
  const task = await host.ask('hello', message);
  expect(stateOf(task)).toBe('FAILED');
  expect(textOf(task)).toContain('No worker of agent laptop was free within 0 s, and nothing was done.');
});

test('a cancellation reaches the worker, and what the agent says after it is kept as late', async () => {
  const host = await startTestHost();
  const { entered, enter } = gate();
  await host.connect(async (turn, sink) => {
    enter();
    await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
    await sink.complete('Too late.');
  });
  const { id } = await host.send('hello');
  await entered;
  expect(stateOf(await host.call('CancelTask', { id }))).toBe('CANCELED');
  const task = await host.taskWhen(id, ({ artifacts = [] }) => artifacts.length > 0);
  expect(stateOf(task)).toBe('CANCELED');
  expect(task.artifacts).toMatchObject([{ parts: [{ text: 'Too late.' }], metadata: { late: {} } }]);
});

test('an agent that asks for another attempt gets one, and one that throws fails', async () => {
  const host = await startTestHost();
  let attempts = 0;
  await host.connect(async (turn) => {
    attempts += 1;
    if (turn.message.parts[0]?.text === 'throw') throw new Error('secret of the laptop');
    if (attempts === 1) throw new RetryableError('Busy.', { retryAfterMilliseconds: 1 });
  });
  expect(stateOf(await host.ask('retry'))).toBe('COMPLETED');
  expect(attempts).toBe(2);
  const failed = await host.ask('throw');
  expect(stateOf(failed)).toBe('FAILED');
  expect(JSON.stringify(failed)).not.toContain('secret of the laptop');
});

test('output that cannot be sent fails the task', async () => {
  const host = await startTestHost();
  await host.connect(async (_turn, sink) => {
    await sink.artifact({ parts: [] }).catch(() => {});
  });
  const task = await host.ask('hello');
  expect(stateOf(task)).toBe('FAILED');
  expect(textOf(task)).toContain('content without parts');
});

test('turns are spread by free slots, and those of one context stay in order', async () => {
  const host = await startTestHost();
  const { opened, open } = gate();
  const runs: string[] = [];
  const run =
    (name: string): Executor['execute'] =>
    async (turn, sink) => {
      runs.push(name);
      await opened;
      await sink.complete(turn.message.parts[0]?.text ?? '');
    };
  await host.connect(run('a'), { slots: 2 });
  await host.connect(run('b'), { slots: 2 });
  const tasks = await Promise.all(['1', '2', '3', '4', '5'].map((text) => host.send(text)));
  await host.taskWhen(tasks[4]?.id ?? '', (task) => textOf(task).includes('are busy'));
  expect(runs.toSorted()).toEqual(['a', 'a', 'b', 'b']);
  open();
  for (const { id } of tasks) await host.taskWhen(id, (task) => stateOf(task) === 'COMPLETED');
  expect(runs).toHaveLength(5);
});

test('a worker with affinity keeps the contexts that it knows', async () => {
  const host = await startTestHost();
  await host.connect(named('a'), { affinity: true, slots: 1 });
  const first = await host.ask('one');
  await host.connect(named('b'), { affinity: true, slots: 10 });
  expect(textOf(await host.ask('two', { contextId: first.contextId }))).toBe('a');
  expect(textOf(await host.ask('three'))).toBe('b');
});

test('a worker that drains finishes its turns and takes no more', async () => {
  const host = await startTestHost();
  const { opened, open, entered, enter } = gate();
  const worker = await host.connect(async (_turn, sink) => {
    enter();
    await opened;
    await sink.complete('Finished.');
  });
  const running = await host.send('one');
  await entered;
  const stopping = worker.stop({ graceMilliseconds: 60_000 });
  const waiting = await host.send('two');
  await host.taskWhen(waiting.id, ({ status }) => status.message !== undefined);
  open();
  await stopping;
  expect(textOf(await host.task(running.id))).toBe('Finished.');
  expect(stateOf(await host.task(waiting.id))).toBe('SUBMITTED');
});

test('a worker for one turn ends after it', async () => {
  const host = await startTestHost();
  const tasks = await Promise.all([host.send('one'), host.send('two')]);
  const worker = await host.connect(echo, { once: true });
  await worker.done;
  const states = await Promise.all(tasks.map(async ({ id }) => stateOf(await host.task(id))));
  expect(states.toSorted()).toEqual(['COMPLETED', 'SUBMITTED']);
});

test('a worker that stops gives its turn to one that can resume it', async () => {
  const host = await startTestHost();
  const { entered, enter } = gate();
  const agent = (name: string): Executor => ({
    execute: async (turn, sink) => {
      await sink.artifact({ artifactId: 'a', parts: name, checkpoint: { page: 7 } });
      enter();
      await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
    },
    resume: async (turn, sink) => {
      const written = turn.task.artifacts?.map(({ parts }) => parts[0]?.text).join();
      const at = `${JSON.stringify(turn.checkpoint)} after ${written}`;
      await sink.complete(`${name} resumes at ${at}, attempt ${turn.attempt}`);
    },
  });
  const first = await host.connect(agent('one'));
  const { id } = await host.send('hello');
  await entered;
  await host.connect(agent('two'));
  await first.stop({ graceMilliseconds: 0 });
  const task = await host.taskWhen(id, (seen) => stateOf(seen) === 'COMPLETED');
  expect(textOf(task)).toBe('two resumes at {"page":7} after one, attempt 2');
});

test('a restart of the host is a non-event for a turn that a worker runs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-connect-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const before = await openSqliteStore({ folder });
  const first = await startTestHost({ store: before });
  const { opened, open, entered, enter } = gate();
  let runs = 0;
  await first.connect(async (_turn, sink) => {
    runs += 1;
    await sink.artifact({ artifactId: 'a', parts: 'before' });
    await sink.flush();
    enter();
    await sink.artifact({ artifactId: 'a', parts: ', during', append: true });
    await opened;
    await sink.artifact({ artifactId: 'a', parts: ', after', append: true });
    await sink.complete('Done.');
  });
  const { id } = await first.send('hello');
  const waiting = await first.send('later', {
    metadata: { 'urn:holdword:a2a:connect:v1': { waitSeconds: 600 } },
  });
  await entered;
  await first.stop();
  await before.close();
  const store = await openSqliteStore({ folder });
  onTestFinished(() => store.close());
  const host = await startTestHost({
    store,
    port: first.port,
    token: first.token,
    workerLeaseMilliseconds: 60_000,
  });
  open();
  const task = await host.taskWhen(id, (seen) => stateOf(seen) === 'COMPLETED');
  expect(task.artifacts?.[0]?.parts.map(({ text }) => text).join('')).toBe('before, during, after');
  await host.taskWhen(waiting.id, (seen) => stateOf(seen) === 'COMPLETED');
  expect(runs).toBe(2);
});

/** A proxy that passes an answer on only when it is complete. */
async function startBufferingProxy(target: string): Promise<string> {
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const left = new AbortController();
    response.on('close', () => left.abort());
    try {
      const answer = await fetch(`${target}${request.url}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Authorization: request.headers.authorization ?? '',
          Accept: request.headers.accept ?? '',
        },
        body: await textIn(request),
        signal: left.signal,
      });
      const body = await answer.text();
      response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(body);
    } catch {
      response.destroy();
    }
  };
  const proxy = createServer((request, response) => void pass(request, response));
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

test('a host that takes longer to start than a lease takes no turns meanwhile', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-connect-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const before = await openSqliteStore({ folder });
  const first = await startTestHost({ store: before });
  const { opened, open, entered, enter } = gate();
  await first.connect(async (_turn, sink) => {
    enter();
    await opened;
    await sink.complete('Done.');
  });
  const { id } = await first.send('hello');
  await entered;
  await first.stop();
  await before.close();
  const store = await openSqliteStore({ folder });
  onTestFinished(() => store.close());
  const { port, token } = first;
  const workerLeaseMilliseconds = 600;
  const second = await startTestHost({
    store,
    port,
    token,
    workerLeaseMilliseconds,
    beforeServing: () => new Promise((resolve) => setTimeout(resolve, 4 * workerLeaseMilliseconds)),
  });
  open();
  const task = await second.taskWhen(id, (seen) => ['COMPLETED', 'FAILED'].includes(stateOf(seen)));
  expect(textOf(task)).toBe('Done.');
});

test('behind a proxy that buffers, a worker polls', async () => {
  const host = await startTestHost({ workerLeaseMilliseconds: 60_000 });
  await host.connect(echo, { host: await startBufferingProxy(host.url) });
  expect(stateOf(await host.ask('hello'))).toBe('COMPLETED');
  expect(stateOf(await host.ask('again'))).toBe('COMPLETED');
});
