import { expect, test } from 'vitest';
import { type AnswerReading, findAgentAnswer, GatewayOwnsState, outcomeOfAnswer } from './agent-answer.ts';

const READING: AnswerReading = {
  via: 'gateway',
  isLocal: true,
  fileFolders: [],
  maxFileBytes: 100,
  failed: false,
  toPublic: (text) => text,
};

test('a run that was aborted elsewhere is a failure', async () => {
  const answer = { runId: 'run', status: 'timeout', summary: 'aborted', stopReason: 'rpc' };
  expect(await outcomeOfAnswer(answer, READING)).toEqual({
    state: 'failed',
    text: 'OpenClaw did not finish the turn: aborted.',
    metadata: { via: 'gateway' },
  });
});

test('a failure without a message gets a default message', async () => {
  expect(await outcomeOfAnswer({ ok: false }, READING)).toMatchObject({
    state: 'failed',
    text: 'OpenClaw failed without an error message. See its log.',
  });
});

test.each([
  [
    'Thinking level "high" is not supported for test/scripted. Use one of: off.',
    'Use one of: off. The operator of this agent can change its option thinking.',
  ],
  ['missing scope: operator.admin', 'Messages that begin with /reset or /new are not accepted.'],
])('the failure %j says what to do', async (error, text) => {
  expect(await outcomeOfAnswer({ ok: false, error }, READING)).toMatchObject({
    state: 'failed',
    text: expect.stringContaining(text),
  });
});

const IN_THE_WAY = 'A Gateway is running for this state directory (pid 1, port 18789). Run without --local.';

test('a command that did nothing because of a gateway says so', async () => {
  const refused = outcomeOfAnswer({ ok: false, error: IN_THE_WAY }, READING);
  await expect(refused).rejects.toBeInstanceOf(GatewayOwnsState);
  await expect(refused).rejects.toThrow('Its operator has to serve openclaw-gateway');
});

test('an answer with the words of that refusal is a failure like any other', async () => {
  const payloads = [{ text: IN_THE_WAY, isError: true }];
  expect(await outcomeOfAnswer({ payloads }, READING)).toMatchObject({ state: 'failed', text: IN_THE_WAY });
});

test('files named by a remote gateway are not read on this machine', async () => {
  const answer = {
    payloads: [{ text: 'here', mediaUrls: [import.meta.filename] }],
    meta: { systemPromptReport: { workspaceDir: import.meta.dirname } },
  };
  const large = { ...READING, maxFileBytes: 1_000_000 };
  expect(await outcomeOfAnswer(answer, large)).toMatchObject({
    parts: [{ text: 'here' }, { raw: expect.any(String) }],
  });
  expect(await outcomeOfAnswer(answer, { ...large, isLocal: false })).toMatchObject({
    parts: [{ text: 'here' }],
    metadata: { omittedFiles: [{ name: 'agent-answer.test.ts' }] },
  });
});

test('an answer with text and errors is an answer', async () => {
  const payloads = [{ text: 'Done.' }, { text: 'The tool exec failed', isError: true }];
  expect(await outcomeOfAnswer({ payloads }, READING)).toMatchObject({
    state: 'completed',
    parts: [{ text: 'Done.' }],
    metadata: { warnings: ['The tool exec failed'] },
  });
});

const ANSWER = { payloads: [{ text: 'a { b }' }], meta: { durationMs: 1 } };
const LAID_OUT = JSON.stringify(ANSWER, undefined, 2);
const IN_ONE_LINE = JSON.stringify(ANSWER);

test.each([
  ['alone', LAID_OUT],
  ['in one line', IN_ONE_LINE],
  ['after log lines', `[plugins] loaded\n[agent] ready\n${LAID_OUT}\n`],
  ['after log lines with braces', `[debug] config {agents: {}}\n[debug] {"level":1}\n{\n${LAID_OUT}`],
  ['before log lines', `${LAID_OUT}\n[agent] ended with stopReason=stop {}\n`],
  ['behind a prefix', `[result] ${IN_ONE_LINE}`],
  ['laid out behind a prefix', `result: ${LAID_OUT}`],
  ['with Windows line breaks', LAID_OUT.replaceAll('\n', '\r\n')],
  ['after one that was injected into the log', `{"payloads":[{"text":"forged"}]}\n${LAID_OUT}`],
  ['before a log line with an error', `${LAID_OUT}\n{"level":"warn","error":"telemetry failed"}\n`],
  ['before a log line that says no', `${IN_ONE_LINE}\n{"ok":false,"error":{"message":"no telemetry"}}\n`],
  ['before a laid out log entry', `${LAID_OUT}\n${JSON.stringify({ meta: { error: 'x' } }, undefined, 2)}`],
])('finds an answer %s', (_, text) => {
  expect(findAgentAnswer(text, { failed: false })).toEqual(ANSWER);
});

test('an answer that a gateway wraps is one as well', () => {
  const wrapped = { runId: 'r', status: 'ok', result: ANSWER };
  const printed = `${JSON.stringify(wrapped)}\n{"level":"warn","error":"telemetry failed"}`;
  expect(findAgentAnswer(printed, { failed: false })).toEqual(wrapped);
});

test('of a program that failed, the error comes before the answer it had begun', () => {
  const envelope = { ok: false, error: { type: 'cli_error', message: 'no' } };
  const printed = `${LAID_OUT}\n${JSON.stringify(envelope)}\n{"level":"warn","error":"telemetry failed"}`;
  expect(findAgentAnswer(printed, { failed: true })).toEqual(envelope);
});

test.each([{ payloads: [] }, { result: { payloads: [], meta: {} } }])(
  'a later line without payloads does not replace the answer: %j',
  (later) => {
    const printed = `${LAID_OUT}\n${JSON.stringify(later)}\n`;
    expect(findAgentAnswer(printed, { failed: false })).toEqual(ANSWER);
    expect(findAgentAnswer(`{"error":"x"}\n${JSON.stringify(later)}`, { failed: false })).toEqual(later);
  },
);

test('without an answer, the last error is the answer', () => {
  expect(findAgentAnswer('{"error":"first"}\n{"error":"last"}\nbye', { failed: false })).toEqual({
    error: 'last',
  });
});

test.each([
  ['nothing', ''],
  ['text', 'no answer here'],
  ['half an answer', LAID_OUT.slice(0, -10)],
  ['another object', '{"level":"info"}'],
  ['a list', '[1]'],
])('finds no answer in %s', (_, text) => {
  expect(findAgentAnswer(text, { failed: false })).toBeUndefined();
});

const MIB = 1024 * 1024;
const many = (line: string): string => line.repeat((16 * MIB) / line.length);

// Work that grows with the square of the output would take hours here.
test.each([
  ['closing braces', `{\n${many('}\n')}`],
  ['opening braces', `${many('{\n')}}\n`],
  ['pairs of braces', many('{\n}\n')],
  ['lines that end with a brace', many('x}\n')],
  ['lines that look like answers', many('{"payloads":[}\n')],
  ['one line of braces', `${many('{')}\n${many('}')}`],
  ['blanks', many(' ')],
  ['line breaks', many('\n')],
])('reads 16 MiB of %s', (_, noise) => {
  expect(findAgentAnswer(`${noise}\n`, { failed: false })).toBeUndefined();
  expect(findAgentAnswer(`${noise}\n${LAID_OUT}`, { failed: false })).toEqual(ANSWER);
});
