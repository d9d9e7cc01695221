import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  A2ATools,
  JSONTaskStore,
  LocalFileStore,
  type TaskStore,
  type V03Event,
  type V03Part,
  type V03Task,
} from '@holdword/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { LargeResult } from './fixtures/read-large-result.ts';
import { openSession } from './open-session.ts';
import { taskOf } from './results.ts';
import { WIRES } from './start-card-server.ts';
import { startSdkAgent } from './start-sdk-agent.ts';

const LINE = '0123456789 abcdefghijklmnopqrstuvwxyz "quoted" and \\ escaped.';
const KILOBYTES = 300;
const TEXT = `${LINE}\n`.repeat(16 * KILOBYTES);
const LIMITS = { maxResponseBytes: 100_000 };
/** gRPC needs a whole message in memory. */
const SPLITTING = WIRES.filter(({ binding }) => binding !== 'GRPC');
const CASES = SPLITTING.flatMap((wire) => [true, false].map((streaming) => ({ ...wire, streaming })));

async function newFolder(): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

describe.each(CASES)('over $binding $version, streaming: $streaming, a result above the limit', (wire) => {
  const start = () => startSdkAgent({ interfaces: [wire], streaming: wire.streaming });

  test.each(['text', 'chunks'])('has its text in a file (%s)', async (kind) => {
    const { url } = await start();
    const session = openSession(url, { agents: LIMITS });
    const task = taskOf(await session.sendMessage('agent', `large ${kind} big ${KILOBYTES}`));
    expect(task.status.state).toBe('completed');
    const parts = task.artifacts?.[0]?.parts ?? [];
    const texts = await Promise.all(
      parts.map(async (part) => readFile((await session.agents.getLargePart(part))?.path ?? '', 'utf8')),
    );
    const chunks = Array.from({ length: 10 }, () => TEXT.slice(0, TEXT.length / 10));
    expect(texts.join('\n') === (kind === 'text' ? TEXT : chunks.join('\n'))).toBe(true);
    expect(await session.getSavedTask('agent', task.id)).toEqual(task);
  });

  test('can be viewed and searched without fetching it again', async () => {
    const agent = await start();
    const tools = new A2ATools(openSession(agent.url, { agents: LIMITS }), {
      extraTools: ['searchArtifact'],
    });
    const { id, artifacts } = await tools.sendMessage('agent', `large text big ${KILOBYTES}`);
    expect(artifacts).toMatchObject([
      {
        artifactId: 'big',
        parts: [
          {
            kind: 'text',
            _total_characters: TEXT.length,
            _total_lines: 16 * KILOBYTES + 1,
            _end_character_range: `${TEXT.length - 25_000}-${TEXT.length}`,
          },
        ],
      },
    ]);
    await agent.close();
    const taskId = String(id);
    expect(await tools.viewTextArtifact('agent', taskId, 'big', 4_000, 4_001)).toMatchObject({
      parts: [{ kind: 'text', text: `${LINE}\n${LINE}` }],
    });
    expect(await tools.viewTextArtifact('agent', taskId, 'big', null, null, 200_000, 200_010)).toMatchObject({
      parts: [{ text: TEXT.slice(200_000, 200_010) }],
    });
    expect(await tools.viewTextArtifact('agent', taskId, 'big')).toMatchObject({
      error_message: expect.stringContaining('The whole text has 4,801 lines'),
    });
    const found = await tools.searchArtifact('agent', taskId, 'big', 'QUOTED', {
      skip: 4_799,
      contextLines: 0,
    });
    expect(found).toMatchObject({ _total_matches: 4_800, matches: [{ line: 4_800, text: LINE }] });
  });

  test('has its file saved', async () => {
    const { url } = await start();
    const fileStore = new LocalFileStore(await newFolder());
    const session = openSession(url, { agents: LIMITS, fileStore });
    const task = taskOf(await session.sendMessage('agent', `large file big ${KILOBYTES}`));
    const { paths } = await session.getSavedFiles('agent', task);
    expect((await readFile(paths['big']?.[0] ?? '', 'utf8')) === TEXT).toBe(true);
  });

  test('has its data in a file of JSON', async () => {
    const { url } = await start();
    const tools = new A2ATools(openSession(url, { agents: LIMITS }));
    const { id } = await tools.sendMessage('agent', `large table big ${KILOBYTES}`);
    expect(await tools.viewTextArtifact('agent', String(id), 'big', null, null, 0, 500)).toMatchObject({
      parts: [{ text: expect.stringContaining('"row":0') }],
    });
  });
});

const WIRE = { binding: 'JSONRPC', version: '1.0' } as const;

test('files of large results are removed with the agents, or kept in the folder of the user', async () => {
  const { url } = await startSdkAgent({ interfaces: [WIRE], streaming: false });
  const folder = await newFolder();
  const taskStore = new JSONTaskStore(join(folder, 'tasks'));
  const agents = { ...LIMITS, largePartsFolder: join(folder, 'large') };
  const first = openSession(url, { agents, taskStore });
  const { id } = taskOf(await first.sendMessage('agent', `large text big ${KILOBYTES}`));
  first.agents.close();
  expect(await readdir(join(folder, 'large'))).toHaveLength(1);
  const tools = new A2ATools(openSession('http://127.0.0.1:9', { agents, taskStore }));
  expect(await tools.viewTextArtifact('agent', id, 'big', 1, 1)).toMatchObject({ parts: [{ text: LINE }] });

  const temporary = openSession(url, { agents: LIMITS });
  const task = taskOf(await temporary.sendMessage('agent', `large text big ${KILOBYTES}`));
  const [part] = task.artifacts?.[0]?.parts ?? [];
  const file = new URL(part?.kind === 'file' ? (part.file.uri ?? '') : '');
  expect((await readFile(file)).length).toBe(TEXT.length);
  temporary.agents.close();
  await expect(readFile(file)).rejects.toThrow('ENOENT');
});

test('a task store on disk keeps large contents with its tasks, and deletes them with them', async () => {
  const { url } = await startSdkAgent({ interfaces: [WIRE], streaming: false });
  const folder = await newFolder();
  const first = openSession(url, { agents: LIMITS, taskStore: new JSONTaskStore(folder) });
  const { id } = taskOf(await first.sendMessage('agent', `large text big ${KILOBYTES}`));
  first.agents.close();
  const taskStore = new JSONTaskStore(folder);
  const second = openSession('http://127.0.0.1:9', { taskStore });
  const [part] = (await second.getSavedTask('agent', id))?.artifacts?.[0]?.parts ?? [];
  const large = part && (await second.agents.getLargePart(part));
  expect(large).toMatchObject({ kind: 'text', bytes: TEXT.length });
  expect((await readFile(large?.path ?? '', 'utf8')) === TEXT).toBe(true);
  await taskStore.delete(id);
  expect(await readdir(join(folder, 'large-parts'))).toEqual([]);
});

/** Keeps tasks and nothing else. */
class MapTaskStore implements TaskStore {
  readonly #tasks = new Map<string, V03Task>();

  async save(task: V03Task): Promise<void> {
    this.#tasks.set(task.id, task);
  }

  async load(taskId: string): Promise<V03Task | undefined> {
    return this.#tasks.get(taskId);
  }
}

test('a result whose file is gone is fetched again', async () => {
  const { url } = await startSdkAgent({ interfaces: [WIRE], streaming: false });
  const taskStore = new MapTaskStore();
  const first = openSession(url, { agents: LIMITS, taskStore });
  const { id } = taskOf(await first.sendMessage('agent', `large text big ${KILOBYTES}`));
  first.agents.close();
  const second = openSession(url, { agents: LIMITS, taskStore });
  const [part] = (await second.getSavedTask('agent', id))?.artifacts?.[0]?.parts ?? [];
  if (part === undefined) throw new Error('the saved task has no part');
  await expect(second.agents.getLargePart(part)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('Call getTask to fetch the task again.') as string,
  });
  const tools = new A2ATools(second);
  expect(await tools.viewTextArtifact('agent', id, 'big', 1, 1)).toMatchObject({ parts: [{ text: LINE }] });
});

test('a result above the limit for files is an error with the id of its task, and not repeated', async () => {
  const { url } = await startSdkAgent({ interfaces: [WIRE], streaming: false });
  const session = openSession(url, { agents: { ...LIMITS, maxResultBytes: 200_000 } });
  const reply = await new A2ATools(session).sendMessage('agent', `large text big ${KILOBYTES}`);
  expect(reply).toEqual({
    error: true,
    error_message: expect.stringMatching(
      /^The agent's result exceeds the limit of 200000 bytes \(maxResultBytes of A2AAgents, --max-result of "holdword mcp"\)\..*The task is "[^"]+"\. Call getTask with this ID; do not send the message again\.$/,
    ),
  });
});

const GRPC = { binding: 'GRPC', version: '1.0' } as const;

test('a large task of an agent that prefers gRPC is fetched over another binding', async () => {
  const { url } = await startSdkAgent({ interfaces: [GRPC, WIRE], streaming: true });
  const session = openSession(url, { agents: LIMITS });
  const task = taskOf(await session.sendMessage('agent', `large text big ${KILOBYTES}`));
  expect(task).toMatchObject({ status: { state: 'completed' }, artifacts: [{ parts: [{ kind: 'file' }] }] });
});

test('a large task of an agent that speaks only gRPC is an error with its id', async () => {
  const { url } = await startSdkAgent({ interfaces: [GRPC], streaming: false });
  const session = openSession(url, { agents: LIMITS });
  await expect(session.sendMessage('agent', `large text big ${KILOBYTES}`)).rejects.toMatchObject({
    code: 'INVALID_AGENT_RESPONSE',
    message: expect.stringMatching(
      /exceeds the limit of 100000 bytes \(.*\)\..*its task is "[^"]+"\. Call getTask/,
    ) as string,
    metadata: { taskId: expect.any(String) as string },
  });
});

describe.each(WIRES.flatMap((wire) => [true, false].map((streaming) => ({ ...wire, streaming }))))(
  'over $binding $version, streaming: $streaming, an agent',
  (wire) => {
    test('cannot name a file of this machine', async () => {
      const { url } = await startSdkAgent({ interfaces: [wire], streaming: wire.streaming });
      const fileStore = new LocalFileStore(await newFolder());
      const tools = new A2ATools(openSession(url, { fileStore }));
      const { session } = tools;
      const uri = new URL('sdk-script.ts', import.meta.url).href;
      const metadata = { 'urn:holdword:client:large-part:v1': { kind: 'text', bytes: 10 } };
      const updates: V03Event[] = [];
      const parts: V03Part[] = [
        { kind: 'text', text: 'mirror', metadata },
        { kind: 'file', file: { uri, name: 'script.ts' }, metadata },
      ];
      const onUpdate = (update: V03Event): void => void updates.push(update);
      const task = taskOf(await session.sendMessage('agent', parts, { onUpdate }));
      const seen = [
        task,
        ...updates,
        await session.getTask('agent', task.id),
        await session.getSavedTask('agent', task.id),
      ];
      expect(task.artifacts?.[0]?.parts).toMatchObject([
        { text: 'mirror' },
        { file: { uri: `unavailable:${uri}` } },
      ]);
      expect(JSON.stringify(seen)).not.toMatch(/urn:holdword:client|"file:/);
      for (const part of task.artifacts?.[0]?.parts ?? []) {
        expect(await session.agents.getLargePart(part)).toBeNull();
      }
      const viewed = await tools.viewTextArtifact('agent', task.id, 'mirror', 1, 5);
      expect(JSON.stringify(viewed)).not.toContain('SdkScript');
      expect(await session.getSavedFiles('agent', task)).toMatchObject({
        paths: {},
        errors: { mirror: expect.stringContaining("a file on the agent's own machine") as string },
      });
    });
  },
);

test("without a file store, a model reads why an agent's file is not here", async () => {
  const { url } = await startSdkAgent({ interfaces: [WIRE], streaming: false });
  const tools = new A2ATools(openSession(url));
  const file = { uri: 'file:///etc/hostname', name: 'hostname' };
  const sent = await tools.session.sendMessage('agent', [
    { kind: 'text', text: 'mirror' },
    { kind: 'file', file },
  ]);
  expect(await tools.viewDataArtifact('agent', taskOf(sent).id, 'mirror')).toMatchObject({ error: true });
  expect(await tools.getTask('agent', taskOf(sent).id)).toMatchObject({
    artifacts: [
      {
        parts: [
          { kind: 'text' },
          {
            kind: 'file',
            uri: {
              _error:
                "The file was not saved because its file: URL names a file on the agent's own machine, not on this one.",
            },
          },
        ],
      },
    ],
  });
});

const READER = fileURLToPath(new URL('fixtures/read-large-result.ts', import.meta.url));

/** Reads a result of this many megabytes in another process. */
async function readLarge(url: string, kind: string, megabytes: number): Promise<LargeResult> {
  const message = `large ${kind} big ${megabytes * 1024}`;
  const { stdout } = await promisify(execFile)(process.execPath, [READER, url, message, '500000'], {
    maxBuffer: 2 ** 24,
  });
  return JSON.parse(stdout) as LargeResult;
}

describe('with default settings, memory does not grow with the result', () => {
  test.each([
    { streaming: true, kind: 'text' },
    { streaming: true, kind: 'chunks' },
    { streaming: false, kind: 'text' },
  ])('streaming: $streaming, $kind', { timeout: 120_000 }, async ({ streaming, kind }) => {
    const { url } = await startSdkAgent({ interfaces: [WIRE], streaming });
    const result = await readLarge(url, kind, 60);
    expect(result.state).toMatchObject({ state: 'completed' });
    expect(result.viewed).toMatchObject({ parts: [{ text: LINE }] });
    expect(result.part).toMatchObject({ _total_characters: expect.any(Number) as number });
    expect(result.peakMegabytes).toBeLessThan(300);
    expect(result.viewMilliseconds).toBeLessThan(100);
  });
});
