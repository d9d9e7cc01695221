import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { sendForTask } from '../../operations/testing/start-test-operations.ts';
import { failure } from '../cli-agent/testing/conversation.ts';
import { fakeProgram } from '../cli-agent/testing/fake-program.ts';
import { startCliAgent, temporaryFolder, type TestCliAgent } from '../cli-agent/testing/start-cli-agent.ts';
import { openClawSettings, type OpenClawOptions } from './openclaw-options.ts';
import { openClawArguments, openClawCliProfile } from './openclaw-cli.ts';

const SAMPLE = {
  payloads: [
    { text: 'Response text from agent', mediaUrl: null, mediaUrls: ['https://example.com/image.png'] },
  ],
  meta: {
    durationMs: 1234,
    agentMeta: {
      sessionId: 'session-123',
      provider: 'anthropic',
      model: 'claude-opus-4-5',
      usage: { input: 100, output: 50 },
    },
  },
};

interface Printing {
  readonly stdout?: unknown;
  readonly stderr?: unknown;
  readonly exitCode?: number;
}

/** An agent whose program prints the output of some OpenClaw version. Objects are printed as formatted JSON. */
async function startPrinting(printing: Printing, options: OpenClawOptions = {}): Promise<TestCliAgent> {
  const folder = await temporaryFolder();
  const print = async (name: string, content: unknown): Promise<void> => {
    const text = typeof content === 'string' ? content : JSON.stringify(content, undefined, 2);
    await writeFile(join(folder, name), content === undefined ? '' : text);
  };
  await print('stdout', printing.stdout);
  await print('stderr', printing.stderr);
  const openclawPath = join(folder, 'openclaw');
  const script = `#!/bin/sh\ncat '${folder}/stdout'; cat '${folder}/stderr' >&2; exit ${printing.exitCode ?? 0}\n`;
  await writeFile(openclawPath, script, { mode: 0o755 });
  return startCliAgent(openClawCliProfile(openClawSettings({ openclawPath, ...options })));
}

const encoded = (text: string): string => Buffer.from(text).toString('base64');

async function ask(printing: Printing, options?: OpenClawOptions): Promise<ReturnType<typeof sendForTask>> {
  const { operations } = await startPrinting(printing, options);
  return sendForTask(operations, 'hello');
}

test('calls OpenClaw with the expected arguments', () => {
  const owner = { tenant: '', caller: 'anonymous', authenticated: false };
  const turn = { prompt: 'Your message here', contextId: 'user:123/session:456', owner };
  const common = ['agent', '--local', '--message=Your message here', '--json'];
  const session = ['--session-id', 'a2a-user-123-session-456'];
  expect(openClawArguments(turn, openClawSettings({}))).toEqual([...common, ...session]);
  expect(openClawArguments(turn, openClawSettings({ agentId: 'main', thinking: 'high' }))).toEqual([
    ...common,
    ...session,
    '--thinking',
    'high',
    '--agent',
    'main',
  ]);
});

test.each(['--profile=other', '--dev', '--help', '-V', '--', 'exec'])(
  'the message %j is no argument',
  (prompt) => {
    const turn = { prompt, contextId: 'c', owner: { tenant: '', caller: 'anonymous', authenticated: false } };
    expect(openClawArguments(turn, openClawSettings({}))).not.toContain(prompt);
  },
);

test.each([
  [300, []],
  [3_600, ['--timeout', '3630']],
  [Infinity, ['--timeout', '0']],
])('with a timeout of %d s, OpenClaw gets %j', (timeout, more) => {
  const turn = {
    prompt: 'hi',
    contextId: 'c',
    owner: { tenant: '', caller: 'anonymous', authenticated: false },
  };
  const all = openClawArguments(turn, openClawSettings({ timeout }));
  expect(all.slice(all.indexOf('--session-id') + 2)).toEqual(more);
});

test.each([
  ['on stdout', { stdout: SAMPLE }],
  ['after log lines', { stdout: `[agent] {starting}\n${JSON.stringify(SAMPLE, undefined, 2)}\n` }],
  [
    'before a log line',
    { stdout: `${JSON.stringify(SAMPLE)}\n{"level":"warn","error":"telemetry failed"}\n` },
  ],
  ['on stderr', { stderr: SAMPLE }],
  ['from a gateway', { stdout: { runId: 'r', status: 'ok', summary: 'completed', result: SAMPLE } }],
])('returns the answer as artifact and as message when it is printed %s', async (_, printing) => {
  const parts = [
    { text: 'Response text from agent' },
    { url: 'https://example.com/image.png', mediaType: 'image/png', filename: 'image.png' },
  ];
  const metadata = {
    via: 'cli',
    model: 'claude-opus-4-5',
    provider: 'anthropic',
    usage: { input: 100, output: 50 },
    durationMs: 1234,
  };
  expect(await ask(printing)).toMatchObject({
    status: { state: 'TASK_STATE_COMPLETED', message: { parts, metadata } },
    artifacts: [{ artifactId: 'response', name: 'response', parts, metadata }],
  });
});

test('keeps the order of texts and media, and names a file once', async () => {
  const payloads = [
    { text: 'one', mediaUrls: ['https://a.example/1.png', 'https://a.example/2.png'] },
    { mediaUrl: 'https://a.example/3.pdf', mediaUrls: ['https://a.example/3.pdf'] },
    { text: ' ', mediaUrl: null },
    { text: 'two' },
  ];
  const task = await ask({ stdout: { payloads } });
  expect(task.artifacts?.[0]?.parts.map(({ text, filename }) => text ?? filename)).toEqual([
    'one',
    '1.png',
    '2.png',
    '3.pdf',
    'two',
  ]);
});

test('sends files of the workspace and the media folder, and names those it omits', async () => {
  const folder = await temporaryFolder();
  const workspaceDir = join(folder, 'workspace');
  await mkdir(join(folder, 'state', 'media'), { recursive: true });
  await mkdir(workspaceDir);
  await writeFile(join(workspaceDir, 'note.txt'), 'a note');
  await writeFile(join(folder, 'state', 'media', 'sent.txt'), 'sent');
  await writeFile(join(folder, 'state', 'openclaw.json'), 'a token');
  const mediaUrls = [
    './note.txt',
    `file://${folder}/state/media/sent.txt`,
    join(folder, 'state', 'openclaw.json'),
    'ftp://example.com/x',
  ];
  const meta = { systemPromptReport: { workspaceDir } };
  const task = await ask(
    { stdout: { payloads: [{ text: 'here', mediaUrls }], meta } },
    { envVars: { OPENCLAW_STATE_DIR: join(folder, 'state') } },
  );
  expect(task.artifacts?.[0]).toMatchObject({
    parts: [
      { text: 'here' },
      { raw: encoded('a note'), filename: 'note.txt', mediaType: 'text/plain' },
      { raw: encoded('sent'), filename: 'sent.txt', mediaType: 'text/plain' },
    ],
    metadata: { omittedFiles: [{ name: 'openclaw.json' }, { name: 'x' }] },
  });
  expect(task.status.message?.parts).toEqual([{ text: 'here' }]);
});

test('all files of an answer share one size limit', async () => {
  const workspaceDir = await temporaryFolder();
  for (const name of ['a.txt', 'b.txt']) await writeFile(join(workspaceDir, name), '123456');
  const stdout = {
    payloads: [{ mediaUrls: ['a.txt', 'b.txt'] }],
    meta: { systemPromptReport: { workspaceDir } },
  };
  const task = await ask({ stdout }, { maxFileBytes: 10 });
  expect(task.artifacts?.[0]?.parts.map(({ filename }) => filename)).toEqual(['a.txt']);
  expect(task.artifacts?.[0]?.metadata).toMatchObject({
    omittedFiles: [{ name: 'b.txt', reason: 'the files of the answer are larger than 10 bytes together' }],
  });
  expect(task.status.message?.parts).toEqual([{ text: 'The answer is the file a.txt.' }]);
});

test.each([
  [
    'an error envelope',
    { stdout: { ok: false, error: { type: 'cli_error', message: 'unknown agent "x"' } }, exitCode: 1 },
    'unknown agent "x"',
  ],
  ['an error as text', { stdout: { error: 'Provider is down' } }, 'Provider is down'],
  ['its older name', { stdout: { error_message: 'Provider is down' } }, 'Provider is down'],
  ['an error in meta', { stdout: { payloads: [], meta: { error: 'Out of quota' } } }, 'Out of quota'],
  [
    'a turn that timed out inside',
    {
      stdout: {
        payloads: [{ text: 'Request timed out before a response', isError: true, mediaUrl: null }],
        meta: { timeoutPhase: 'provider', error: { kind: 'incomplete_turn' } },
      },
      exitCode: 1,
    },
    'Request timed out before a response',
  ],
  ['only errors', { stdout: { payloads: [{ text: 'It broke', isError: true }] } }, 'It broke'],
  ['a message with an exit code', { stdout: { ok: false, message: 'No.' }, exitCode: 1 }, 'No.'],
  [
    'only stderr',
    { stderr: 'Config invalid at /home/ada/.openclaw/openclaw.json', exitCode: 1 },
    'The agent openclaw-cli exited with code 1: Config invalid at [path]',
  ],
  ['nothing at all', {}, /did not print a valid answer/],
])('fails for %s', async (_, printing, text) => {
  const said: unknown = typeof text === 'string' ? text : expect.stringMatching(text);
  expect((await ask(printing)).status).toMatchObject({
    state: 'TASK_STATE_FAILED',
    message: { parts: [{ text: said }] },
  });
});

test.each([
  ['the reason to stop', { stopReason: 'stop' }, 'OpenClaw finished without an answer (stop).'],
  ['a warning', { warning: 'nothing to say' }, 'OpenClaw finished without an answer (nothing to say).'],
  ['no hint', {}, 'OpenClaw finished without an answer.'],
])('completes a turn without an answer, with %s', async (_, meta, text) => {
  const task = await ask({ stdout: { payloads: [], meta } });
  expect(task.status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text }] } });
  expect(task.artifacts ?? []).toEqual([]);
});

test('names the path when the command is missing', async () => {
  const { operations } = await startCliAgent(
    openClawCliProfile(openClawSettings({ openclawPath: '/nowhere/openclaw' })),
  );
  const { status } = await sendForTask(operations, 'hello');
  expect(status).toMatchObject({
    state: 'TASK_STATE_FAILED',
    message: { parts: [{ text: expect.stringContaining('"openclaw" was not found') }] },
  });
});

/** An agent whose program answers with what it found about the file of its message. */
async function startMeasuring(): Promise<TestCliAgent> {
  const script = `while [ "$1" != --message-file ]; do shift; done
    printf '{"payloads":[{"text":"%s %s %s"}],"meta":{}}' "$2" "$(wc -c <"$2" | tr -d ' ')" "$(ls -l "$2" | cut -c1-10)"`;
  return startCliAgent(openClawCliProfile(openClawSettings({ openclawPath: await fakeProgram(script) })));
}

test('a message that is too long for the command line is passed in a private file, which is removed', async () => {
  const { operations } = await startMeasuring();
  const task = await sendForTask(operations, 'x'.repeat(1024 * 1024));
  const [file = '', bytes, rights] = task.status.message?.parts[0]?.text?.split(' ') ?? [];
  expect({ bytes, rights }).toEqual({ bytes: '1048576', rights: '-rw-------' });
  expect(existsSync(dirname(file))).toBe(false);
});

test('a message that is too long for OpenClaw fails with the limit', async () => {
  const { operations } = await startMeasuring();
  const task = await sendForTask(operations, 'x'.repeat(4 * 1024 * 1024 + 1));
  expect(task.status).toMatchObject(
    failure(
      'The message has 4194305 bytes, and OpenClaw accepts at most 4194304. Send a shorter message, or the text as a file.',
    ),
  );
});
