import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  A2AAgents,
  isA2AError,
  type A2AErrorCode,
  type Message,
  type Part,
  type Task,
} from '@holdword/client';
import type { PeerEvent } from '@holdword/client/internal';
import type { SendMessageConfiguration, StreamResponse } from '@holdword/protocol';
import type { Binding, CaseLine, CaseName, Version } from './contract.ts';

const TIMEOUT_MILLISECONDS = 30_000;

type Connection = Awaited<ReturnType<A2AAgents['connect']>>;
type Answer = { task?: Task | undefined; message?: Message | undefined };

interface SendOptions extends SendMessageConfiguration {
  parts?: readonly Part[];
  task?: Task;
  contextId?: string;
}

/** Tries our client on a foreign server, which has the behaviours of the lab. */
export async function runOwnClient(
  url: string,
  version: Version,
  binding: Binding,
): Promise<readonly CaseLine[]> {
  const agents = new A2AAgents({ peer: { url } });
  const lines: CaseLine[] = [];
  try {
    for (const [name, test] of Object.entries(casesOf(agents, version, binding))) {
      lines.push(await runCase(name as CaseName, test));
    }
  } finally {
    agents.close();
  }
  return lines;
}

async function runCase(name: CaseName, test: () => Promise<unknown>): Promise<CaseLine> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('no answer within 30 s')), TIMEOUT_MILLISECONDS);
  try {
    await Promise.race([test(), late.promise]);
    return { case: name, ok: true, detail: '' };
  } catch (error) {
    const { message } = error as Error;
    const code = isA2AError(error) ? `${error.code}: ` : '';
    return { case: name, ok: false, detail: `${code}${message}`.replaceAll(/\s+/g, ' ').slice(0, 400) };
  } finally {
    clearTimeout(timer);
  }
}

function casesOf(
  agents: A2AAgents,
  version: Version,
  binding: Binding,
): Partial<Record<CaseName, () => Promise<unknown>>> {
  const connect = (): Promise<Connection> => agents.connect('peer');

  async function send(text: string, options: SendOptions = {}): Promise<Answer> {
    return (await connect()).peer.send(requestOf(text, options));
  }
  async function sendTask(text: string, options?: SendOptions): Promise<Task> {
    const { task } = await send(text, options);
    assert.ok(task !== undefined, 'expected a task, found a message');
    return task;
  }
  async function stream(text: string): Promise<readonly StreamResponse[]> {
    return eventsOf((await connect()).peer.stream(requestOf(text)));
  }
  async function cancel({ id }: Task): Promise<Task> {
    return (await connect()).peer.cancel({ id });
  }

  return {
    card: async () => {
      const { card, peer } = await connect();
      assert.equal(card.name, 'Peer');
      // The peer chooses an interface with its first request.
      await peer.send(requestOf('echo hello'));
      assert.deepEqual([peer.binding, peer.version], [binding, version]);
    },
    send: async () => {
      const task = await sendTask('echo hello');
      assert.deepEqual([task.status.state, artifactOf(task)], ['TASK_STATE_COMPLETED', 'hello']);
    },
    message: async () => {
      const { message } = await send('message hello');
      assert.equal(textOf(message?.parts), 'hello');
    },
    nonblocking: async () => {
      const task = await sendTask('slow', { returnImmediately: true });
      assert.match(task.status.state, /SUBMITTED|WORKING/);
      await cancel(task);
    },
    stream: async () => {
      const events = await stream('stream');
      const chunks = events.flatMap((event) => ('artifactUpdate' in event ? [event.artifactUpdate] : []));
      assert.deepEqual(
        chunks.map(({ artifact, append = false, lastChunk = false }) => [
          textOf(artifact.parts),
          append,
          lastChunk,
        ]),
        [
          ['one ', false, false],
          ['two ', true, false],
          ['three', true, true],
        ],
      );
      assert.equal(lastState(events), 'TASK_STATE_COMPLETED');
    },
    get: async () => {
      const { id } = await sendTask('echo hello');
      const { peer } = await connect();
      const task = await peer.get({ id, historyLength: 5 });
      assert.equal(artifactOf(task), 'hello');
      assert.ok((task.history ?? []).length > 0, 'the history is empty');
      if (version === '0.3' && binding === 'GRPC') return;
      assert.equal(((await peer.get({ id, historyLength: 0 })).history ?? []).length, 0, 'history');
    },
    ...(version === '1.0' && {
      list: async () => {
        const { contextId } = await sendTask('echo one');
        await sendTask('echo two', { contextId });
        const { peer } = await connect();
        const page = await peer.list({ contextId, pageSize: 1 });
        assert.deepEqual([page.tasks.length, page.totalSize], [1, 2]);
        const rest = await peer.list({ contextId, pageToken: page.nextPageToken, includeArtifacts: true });
        assert.equal(rest.tasks.length, 1, 'tasks on the second page');
      },
      'error-message-to-ended': async () =>
        expectCode(send('echo again', { task: await sendTask('echo hello') }), 'UNSUPPORTED_OPERATION'),
      'error-subscribe-to-ended': async () => {
        const { id } = await sendTask('echo hello');
        await expectCode(eventsOf((await connect()).peer.subscribe({ id })), 'UNSUPPORTED_OPERATION');
      },
    }),
    ask: async () => {
      const asked = await sendTask('ask');
      assert.equal(asked.status.state, 'TASK_STATE_INPUT_REQUIRED');
      assert.equal(textOf(asked.status.message?.parts), 'Which colour?');
      const answered = await sendTask('blue', { task: asked });
      assert.deepEqual([answered.id, answered.status.state], [asked.id, 'TASK_STATE_COMPLETED']);
      assert.equal(textOf(answered.artifacts?.at(-1)?.parts), 'you said blue');
    },
    'ask-stream': async () => assert.equal(lastState(await stream('ask')), 'TASK_STATE_INPUT_REQUIRED'),
    fail: async () => {
      const { status } = await sendTask('fail');
      assert.deepEqual(
        [status.state, textOf(status.message?.parts)],
        ['TASK_STATE_FAILED', 'failed on purpose'],
      );
    },
    cancel: async () => {
      const task = await sendTask('slow', { returnImmediately: true });
      assert.equal((await cancel(task)).status.state, 'TASK_STATE_CANCELED');
    },
    subscribe: async () => {
      const task = await sendTask('slow', { returnImmediately: true });
      const { peer } = await connect();
      const seen: StreamResponse[] = [];
      // A server of 0.3 may say nothing before something happens.
      const timer = version === '0.3' ? setTimeout(() => void cancel(task), 1_000) : undefined;
      try {
        for await (const { event } of peer.subscribe({ id: task.id })) {
          seen.push(event);
          if (seen.length === 1 && timer === undefined) await cancel(task);
        }
      } finally {
        clearTimeout(timer);
      }
      if (version === '1.0')
        assert.ok(seen[0] !== undefined && 'task' in seen[0], 'the first event is not the task');
      assert.equal(lastState(seen), 'TASK_STATE_CANCELED');
    },
    'receive-file': async () => {
      const [raw, url, data] = (await sendTask('file')).artifacts?.[0]?.parts ?? [];
      assert.equal(Buffer.from(raw?.raw ?? '', 'base64').toString(), 'hello, file');
      assert.deepEqual([raw?.filename, raw?.mediaType], ['hello.txt', 'text/plain']);
      assert.deepEqual([url?.url, url?.filename], ['https://example.com/report.pdf', 'report.pdf']);
      assert.deepEqual(data?.data, { answer: 42 });
    },
    'send-file': async () => {
      const raw = Buffer.from(Array.from({ length: 256 }, (_, index) => index)).toString('base64');
      const sent = { raw, filename: 'bytes.bin', mediaType: 'application/octet-stream' };
      const [part] = (await sendTask('mirror', { parts: [sent] })).artifacts?.[0]?.parts ?? [];
      assert.deepEqual({ raw: part?.raw, filename: part?.filename, mediaType: part?.mediaType }, sent);
    },
    'error-task-not-found': async () =>
      expectCode((await connect()).peer.get({ id: randomUUID() }), 'TASK_NOT_FOUND'),
    'error-not-cancelable': async () =>
      expectCode(cancel(await sendTask('echo hello')), 'TASK_NOT_CANCELABLE'),
  };
}

function requestOf(
  text: string,
  { parts = [], task, contextId, ...configuration }: SendOptions = {},
): Parameters<Connection['peer']['send']>[0] {
  return {
    message: {
      role: 'ROLE_USER',
      messageId: randomUUID(),
      parts: [{ text }, ...parts],
      ...(contextId !== undefined && { contextId }),
      ...(task !== undefined && {
        taskId: task.id,
        ...(task.contextId !== undefined && { contextId: task.contextId }),
      }),
    },
    configuration,
  };
}

async function eventsOf(stream: AsyncIterable<PeerEvent>): Promise<readonly StreamResponse[]> {
  const events: StreamResponse[] = [];
  for await (const { event } of stream) events.push(event);
  return events;
}

async function expectCode(call: Promise<unknown>, code: A2AErrorCode): Promise<void> {
  const error: unknown = await call.then(
    () => assert.fail(`expected ${code}, found an answer`),
    (caught: unknown) => caught,
  );
  if (!isA2AError(error)) throw error;
  assert.equal(error.code, code, `${error.code}: ${error.message}`);
}

function lastState(events: readonly StreamResponse[]): string | undefined {
  const last = events.at(-1);
  if (last === undefined || 'message' in last || 'artifactUpdate' in last) return undefined;
  return ('statusUpdate' in last ? last.statusUpdate : last.task).status.state;
}

function textOf(parts: readonly Part[] = []): string {
  return parts.map(({ text }) => text ?? '').join('');
}

function artifactOf({ artifacts }: Task): string {
  return textOf(artifacts?.[0]?.parts);
}
