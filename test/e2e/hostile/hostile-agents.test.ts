import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { HoldwordProcess } from '@holdword/cli/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { answerWith, startHostilePeer, taskWith, type RpcRequest } from '../outbound/start-hostile-peer.ts';
import type { CallReport } from './called-by-child.ts';

const CHILD = fileURLToPath(new URL('./called-by-child.ts', import.meta.url));
/** The timeout of a call that answers: on a busy machine, large results take long. */
const PATIENT_SECONDS = 40;
/** The timeout of a call that never ends by itself. */
const SECONDS = 4;
const HEAP_MEGABYTES = 400;
/** About 150 were measured at most. */
const MAX_BLOCKED_MILLISECONDS = 500;
const MEBIBYTE = 1024 * 1024;
const WORKING = { id: 'task-1', contextId: 'context-1', status: { state: 'TASK_STATE_WORKING' } };

interface Attack {
  readonly name: string;
  readonly answer: (request: RpcRequest) => void;
  /** What the model is told. */
  readonly outcome: RegExp;
  /** Whether the call ends by its timeout. */
  readonly isEndless?: boolean;
  /** What the model of OpenClaw is told, if it is something else. */
  readonly inOpenClaw?: RegExp;
}

/** Writes pieces as fast as the client takes them. */
function pour({ response }: RpcRequest, pieces: Iterable<string>): void {
  Readable.from(inBlocks(pieces)).pipe(response);
}

/** Few large writes: the attacker must not be slower than the client. */
function* inBlocks(pieces: Iterable<string>): Generator<string> {
  let block: string[] = [];
  let size = 0;
  for (const piece of pieces) {
    block.push(piece);
    size += piece.length;
    if (size < 65_536) continue;
    yield block.join('');
    block = [];
    size = 0;
  }
  yield block.join('');
}

function* endlessly(piece: string, times = Infinity): Generator<string> {
  const many = Math.max(1, Math.min(times, Math.floor(65_536 / piece.length)));
  const block = piece.repeat(many);
  for (let count = 0; count < times; count += many) yield block;
}

/** Answers a message with JSON that is written in pieces. */
function written(...pieces: (string | (() => Iterable<string>))[]): Attack['answer'] {
  return (request) => {
    request.response.writeHead(200, { 'content-type': 'application/json' });
    pour(
      request,
      (function* () {
        yield `{"jsonrpc":"2.0","id":${JSON.stringify(request.id)},"result":{"task":{"id":"task-1","contextId":"context-1",`;
        yield '"status":{"state":"TASK_STATE_COMPLETED"},';
        for (const piece of pieces) {
          if (typeof piece === 'string') yield piece;
          else yield* piece();
        }
        yield '}}}';
      })(),
    );
  };
}

/** Answers with a running task, and then with a stream of it. */
function streamed(pieces: (request: RpcRequest) => Iterable<string>): Attack['answer'] {
  return (request) => {
    if (request.method === 'SendMessage') answerWith(request, { task: WORKING });
    else if (request.method === 'GetTask') answerWith(request, WORKING);
    else {
      request.response.writeHead(200, { 'content-type': 'text/event-stream' });
      pour(request, pieces(request));
    }
  };
}

function frame({ id }: RpcRequest, result: unknown): string {
  return `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`;
}

const ids = { taskId: 'task-1', contextId: 'context-1' };

function files(names: readonly string[]): Attack['answer'] {
  const parts = names.map((filename) => ({ raw: 'aGk=', filename }));
  return (request) => answerWith(request, { task: taskWith({ artifacts: [{ artifactId: 'a', parts }] }) });
}

const COMPLETED = /completed/;
const STILL_WORKING = /working/;

const ATTACKS: readonly Attack[] = [
  {
    name: 'a file name of 100 KB of blanks',
    answer: files([`a${' '.repeat(100_000)}b`]),
    outcome: COMPLETED,
  },
  {
    name: '8,000 files with the same name',
    answer: files(Array.from({ length: 8_000 }, () => 'a')),
    outcome: /7,000 files were not saved.*more than 1,000 files/,
    inOpenClaw: COMPLETED,
  },
  {
    name: 'a field name of 7 MiB',
    answer: written(`"metadata":{"`, () => endlessly('k', 7 * MEBIBYTE), '":1}'),
    outcome: COMPLETED,
  },
  {
    name: '2,000,000 fields',
    answer: written(
      '"metadata":{',
      function* () {
        for (let field = 0; field < 2_000_000; field += 1) yield `"${field}":0,`;
      },
      '"end":0}',
    ),
    outcome: /exceeds the limit of \d+ (?:values|bytes)/,
  },
  {
    name: 'data nested 5,000 deep',
    answer: written('"artifacts":[{"parts":[{"data":', '['.repeat(5_000), ']'.repeat(5_000), '}]}]'),
    outcome: /nested too deeply/,
  },
  {
    name: 'parts without content, 31 MiB of them',
    answer: written('"artifacts":[{"parts":[', () => endlessly('{},', 10_000_000), '{}]}]'),
    outcome: /exceeds the limit of \d+ (?:values|bytes)/,
  },
  {
    name: '1,000,000 artifacts',
    answer: written('"artifacts":[', () => endlessly('{"artifactId":"a"},', 1_000_000), '{}]'),
    outcome: /exceeds the limit of \d+ (?:values|bytes)/,
  },
  {
    name: 'a history of 1,000,000 messages',
    answer: written('"history":[', () => endlessly('{"messageId":"m"},', 1_000_000), '{}]'),
    outcome: /exceeds the limit of \d+ (?:values|bytes)/,
  },
  {
    name: 'data of 15,000,000 numbers',
    answer: written('"artifacts":[{"parts":[{"data":[', () => endlessly('0,', 15_000_000), '0]}]}]'),
    outcome: COMPLETED,
    inOpenClaw: /exceeds the limit of \d+ (?:values|bytes)/,
  },
  {
    name: 'a text of 15,000,000 quotation marks',
    answer: written('"artifacts":[{"parts":[{"text":"', () => endlessly('\\"', 15_000_000), '"}]}]'),
    outcome: COMPLETED,
    inOpenClaw: /exceeds the limit of \d+ bytes/,
  },
  {
    name: 'a file of 48 MiB',
    answer: written('"artifacts":[{"parts":[{"raw":"', () => endlessly('AAAA', 16 * MEBIBYTE), '"}]}]'),
    outcome: COMPLETED,
    inOpenClaw: /exceeds the limit/,
  },
  {
    name: 'compressed JSON that nobody asked for',
    answer: ({ response }) => {
      const bomb = gzipSync(Buffer.alloc(40 * MEBIBYTE, 0x20));
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(bomb);
    },
    outcome: /not valid JSON/,
  },
  {
    name: 'headers without an end',
    answer: ({ response }) => {
      const { socket } = response;
      socket?.write('HTTP/1.1 200 OK\r\n');
      Readable.from(endlessly('x-more: 0123456789\r\n')).pipe(socket ?? response);
    },
    outcome: /error/,
  },
  {
    name: 'a response that trickles',
    answer: ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
    },
    outcome: /error/,
    isEndless: true,
  },
  {
    name: 'lines of events without content',
    answer: streamed(() => endlessly('data:\n')),
    outcome: STILL_WORKING,
    isEndless: true,
    inOpenClaw: /exceeds the limit|timed out/,
  },
  {
    name: 'a line of an event without an end',
    answer: streamed(() => ['data: ', ...endlessly('x'.repeat(65_536), 1_000)]),
    outcome: STILL_WORKING,
    isEndless: true,
    inOpenClaw: /exceeds the limit|timed out/,
  },
  {
    name: '1,000,000 tiny events',
    answer: streamed((request) =>
      endlessly(frame(request, { statusUpdate: { ...ids, status: WORKING.status } }), 1_000_000),
    ),
    outcome: STILL_WORKING,
    isEndless: true,
    inOpenClaw: /timed out|streamed more than/,
  },
  {
    name: 'artifacts without content, without an end',
    answer: streamed(function* (request) {
      for (let count = 0; ; count += 1) {
        yield frame(request, { artifactUpdate: { ...ids, artifact: { artifactId: `${count}`, parts: [] } } });
      }
    }),
    outcome: STILL_WORKING,
    isEndless: true,
    inOpenClaw: /timed out|streamed more than/,
  },
  {
    name: 'an artifact that grows by 1 MiB 300 times',
    answer: streamed(function* (request) {
      const artifact = { artifactId: 'a', parts: [{ text: 'x'.repeat(MEBIBYTE) }] };
      const piece = frame(request, { artifactUpdate: { ...ids, artifact, append: true } });
      for (let count = 0; count < 300; count += 1) yield piece;
    }),
    outcome: STILL_WORKING,
    isEndless: true,
    inOpenClaw: /timed out|streamed more than/,
  },
];

async function callInChild(
  how: 'model' | 'openclaw',
  answer: Attack['answer'],
  seconds: number,
): Promise<CallReport> {
  const { origin } = await startHostilePeer({
    answer: (request) => {
      request.response.on('error', () => {});
      answer(request);
    },
  });
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const child = new HoldwordProcess([how, origin, String(seconds), folder.path], {
    program: CHILD,
    nodeArguments: [`--max-old-space-size=${HEAP_MEGABYTES}`],
  });
  const [line] = await child.printed(/^\{.*\}$/m);
  await child.ended;
  return JSON.parse(line) as CallReport;
}

describe.each(['model', 'openclaw'] as const)('what a hostile agent can do to a caller: %s', (how) => {
  test.each(ATTACKS)('$name', async ({ answer, outcome, inOpenClaw = outcome, isEndless }) => {
    const seconds = isEndless === true ? SECONDS : PATIENT_SECONDS;
    const report = await callInChild(how, answer, seconds);
    expect(report.outcome).toMatch(how === 'model' ? outcome : inOpenClaw);
    expect(report.characters).toBeLessThanOrEqual(100_000);
    expect(report.seconds).toBeLessThan(seconds + 15);
    expect(report.blockedMilliseconds).toBeLessThan(MAX_BLOCKED_MILLISECONDS);
    expect(report.megabytes).toBeLessThan(HEAP_MEGABYTES + 200);
  });
});
