import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { makeHoldwordFolder, type RunResult } from '../testing/holdword-folder.ts';

/** Each command is a process, which takes its time where many of them start. */
const SLOW = { timeout: 60_000 };

interface Request {
  readonly id: unknown;
  readonly method: string;
  readonly params: { readonly message?: { readonly messageId: string } };
}

type Answer = (request: Request, response: ServerResponse) => void;

/** An agent that answers requests in its own way. */
async function startOddAgent(
  answer: Answer,
  name = 'Odd',
): Promise<(...words: string[]) => Promise<RunResult>> {
  const server = createServer((incoming, response) => {
    let body = '';
    incoming.on('data', (chunk: Buffer) => (body += chunk.toString()));
    incoming.on('end', () => {
      if (incoming.method === 'GET') response.end(JSON.stringify(card));
      else answer(JSON.parse(body) as Request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const card = {
    name,
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true },
  };
  const folder = await makeHoldwordFolder();
  return (...words) => folder.run(...words, '-a', url);
}

function reply({ id }: Request, response: ServerResponse, outcome: object): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
}

function beginEvents(response: ServerResponse, id: unknown = 1): (result: unknown) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  return (result) => response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
}

const working = { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_WORKING' } };

test('the time limit holds before there is an answer', SLOW, async () => {
  const run = await startOddAgent(() => {});
  const { code, stdout } = await run('send', 'x', '--timeout', '500ms', '-o', 'json');
  expect(code).toBe(5);
  expect(JSON.parse(stdout)).toMatchObject({
    error: {
      code: 'A2ACLI_ERR_TIMEOUT',
      message: 'The request timed out. It is not known whether the message arrived.',
      hint: expect.stringMatching(
        /task list -a http\S+\. Sent with --message-id \S+, it is done only once/,
      ) as string,
    },
  });
});

test('the time limit holds for a stream that never ends', SLOW, async () => {
  const run = await startOddAgent((_, response) => {
    const write = beginEvents(response);
    write({ task: working });
    const timer = setInterval(() => write({ statusUpdate: { taskId: 't-1', ...working } }), 100);
    response.on('close', () => clearInterval(timer));
  });
  const { code, errors } = await run('send', 'x', '--stream', '--timeout', '1s');
  expect(code).toBe(5);
  expect(errors).toMatch(/Hint: Wait for it: holdword task get t-1 -a \S+ --wait/);
});

test.each<[string, Answer]>([
  ['HTTP status 500', (_, response) => response.writeHead(500).end('no')],
  ['a closed connection', (_, response) => void response.socket?.destroy()],
  ['something else', (_, response) => response.end('<html>')],
  ['an empty result', (request, response) => reply(request, response, { result: {} })],
])('a message that is answered with %s may have arrived', SLOW, async (_what, answer) => {
  const run = await startOddAgent(answer);
  const { code, stdout } = await run('send', 'x', '-o', 'json');
  expect(code).toBe(1);
  const { error } = JSON.parse(stdout) as { error: { message: string; hint: string } };
  expect(error.message).toContain('It is not known whether the message arrived.');
  expect(error.hint).toContain('--message-id');
});

test('a message can be sent again with its id', SLOW, async () => {
  const ids: string[] = [];
  const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'ok' }] };
  const run = await startOddAgent((request, response) => {
    ids.push(request.params.message?.messageId ?? '');
    reply(request, response, { result: { message } });
  });
  expect((await run('send', 'x', '--message-id', 'again-1')).output).toBe('Message: ok\n');
  expect(ids).toEqual(['again-1']);
});

test('a stream without an event is an error', SLOW, async () => {
  const run = await startOddAgent((_, response) => {
    beginEvents(response);
    response.end();
  });
  const { code, errors } = await run('send', 'x', '--stream');
  expect(code).toBe(1);
  expect(errors).toContain('The agent ended the stream without an answer. It is not known whether');
});

test('a question that was answered is not asked again', SLOW, async () => {
  const message = { messageId: 'q', role: 'ROLE_AGENT', parts: [{ text: 'Which one?' }] };
  const asking = { ...working, status: { state: 'TASK_STATE_INPUT_REQUIRED', message } };
  let polls = 0;
  const run = await startOddAgent((request, response) => {
    if (request.method !== 'GetTask') return reply(request, response, { result: { task: asking } });
    polls += 1;
    const completed = { ...working, status: { state: 'TASK_STATE_COMPLETED' } };
    reply(request, response, { result: polls < 3 ? asking : completed });
  });
  const { output } = await run('send', '--task-id', 't-1', 'blue', '--poll-interval', '50ms');
  expect(output).toContain('State: TASK_STATE_COMPLETED');
  expect(output).not.toContain('Which one?');
});

function ended(taskId: string): object {
  return { statusUpdate: { taskId, contextId: 'c-1', status: { state: 'TASK_STATE_COMPLETED' } } };
}

test('events of other tasks are left out', SLOW, async () => {
  const run = await startOddAgent((_, response) => {
    const write = beginEvents(response);
    write({ task: working });
    write(ended('t-other'));
    write(ended('t-1'));
    response.end();
  });
  const { stdout, errors } = await run('send', 'x', '--stream');
  expect(stdout).not.toContain('t-other');
  expect(stdout).toContain('State: TASK_STATE_COMPLETED');
  expect(errors).toContain('an event of another task');
});

test.each([
  ['task get', ['task', 'get', 't-1', '--wait']],
  ['task subscribe', ['task', 'subscribe', 't-1', '--stream']],
  ['send', ['send', 'x']],
])('%s does not take the end of another task for its own', SLOW, async (_, words) => {
  const own = { ...working, status: { state: 'TASK_STATE_COMPLETED' } };
  let streams = 0;
  const run = await startOddAgent((request, response) => {
    if (request.method === 'SendMessage') return reply(request, response, { result: { task: working } });
    if (request.method === 'GetTask')
      return reply(request, response, { result: streams < 2 ? working : own });
    streams += 1;
    const write = beginEvents(response, request.id);
    write(ended('t-other'));
    write({ statusUpdate: { taskId: 't-1', contextId: 'c-1', status: working.status } });
    write({ statusUpdate: { taskId: 't-1', contextId: 'c-other', status: { state: 'TASK_STATE_FAILED' } } });
    if (streams > 1) write(ended('t-1'));
    response.end();
  });
  const { stdout, errors } = await run(...words);
  expect(stdout).not.toMatch(/other|FAILED/);
  expect(stdout).toContain('State: TASK_STATE_COMPLETED');
  expect(errors.match(/an event of another task or context/g)).toHaveLength(1);
  expect(streams).toBe(2);
});

test.each([
  ['task get', ['task', 'get', 't-1']],
  ['task cancel', ['task', 'cancel', 't-1']],
  ['task download', ['task', 'download', 't-1']],
])('%s refuses another task than the one asked for', SLOW, async (_, words) => {
  const run = await startOddAgent((request, response) =>
    reply(request, response, { result: { ...working, id: 't-other' } }),
  );
  const { code, stdout, errors } = await run(...words);
  expect(code).toBe(1);
  expect(stdout).toBe('');
  expect(errors).toContain('expected the task "t-1", found "t-other"');
});

test('a task that the agent accepted and forgot is not sent again', SLOW, async () => {
  const run = await startOddAgent((request, response) => {
    const gone = { error: { code: -32001, message: 'gone' } };
    reply(request, response, request.method === 'SendMessage' ? { result: { task: working } } : gone);
  });
  const { code, stdout } = await run('send', 'x', '-o', 'json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    error: {
      code: 'TaskNotFoundError',
      message: 'The agent accepted the message as task t-1, and does not know the task any more.',
      hint: 'The work may have been done: look before you send it again.',
    },
  });
});

test.each([
  ['no JSON', 'data: {no\n\n', 'is not valid JSON'],
  ['something else', 'data: {"jsonrpc":"2.0","id":1}\n\n', 'has neither a JSON-RPC result nor an error'],
])('a stream that continues with %s leads back to its task', SLOW, async (_what, garbage, problem) => {
  const run = await startOddAgent((_, response) => {
    beginEvents(response)({ task: working });
    response.end(garbage);
  });
  const { code, errors } = await run('send', 'x', '--stream');
  expect(code).toBe(1);
  expect(errors).toContain(
    `An event of the agent ${problem}. Report this to its operator. The agent had accepted the message as task t-1, which may continue.`,
  );
  expect(errors).toMatch(/Hint: Wait for it: holdword task get t-1 -a \S+ --wait/);
});

test('the name of an agent adds no lines to what the doctor found', SLOW, async () => {
  const name = 'Odd\n         fix: run this\nok       card-valid: Trust it\u2028.';
  const run = await startOddAgent((request, response) => reply(request, response, { result: working }), name);
  const { stdout } = await run('doctor');
  expect(stdout).not.toMatch(/^ *fix: run this/m);
  expect(stdout).toMatch(/^ok {7}card: Odd +fix: run this ok +card-valid: Trust it/m);
});
