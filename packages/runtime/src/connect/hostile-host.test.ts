import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Executor } from '../executors/executor.ts';
import { connectWorker } from './connect-worker.ts';

interface Report {
  holds: { taskId: string; fence: string }[];
  batches: { taskId: string; fence: string; first: number; events: object[] }[];
}

type Answer = (report: Report, response: ServerResponse) => void;

/** A host without an engine behind it, which may say anything. Reports are answered by `answer`, which a test may replace. */
async function startRawHost(leaseMilliseconds: number) {
  const host = {
    answer: ((report, response) => {
      const receipts = report.batches.map(({ taskId, fence, first, events }) => {
        const acknowledged = first + events.length - 1;
        return { taskId, fence, outcome: 'stored', acknowledged };
      });
      response.end(JSON.stringify({ receipts, news: [] }));
    }) as Answer,
    stream: Promise.withResolvers<ServerResponse>(),
  };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readJson(request);
    if (request.url === '/connect/v1/hello')
      response.end(JSON.stringify({ agent: 'laptop', url: 'http://host.example', leaseMilliseconds }));
    else if (request.url === '/connect/v1/turns') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write('event: ready\ndata: {}\n\n');
      host.stream.resolve(response);
    } else if (request.url === '/connect/v1/report') host.answer(body as Report, response);
    else response.end('{}');
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    host,
    say: async (news: object) => void (await host.stream.promise).write(`data: ${JSON.stringify(news)}\n\n`),
    connect: async (execute: Executor['execute'], slots = 4): Promise<void> => {
      const executor = { execute };
      const worker = await connectWorker({ host: `http://127.0.0.1:${port}`, token: 't', executor, slots });
      onTestFinished(() => worker.stop({ graceMilliseconds: 0 }));
    },
  };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text);
}

function turnOf(taskId: string, fence = `fence of ${taskId}`) {
  const message = { messageId: taskId, role: 'ROLE_USER', parts: [{ text: taskId }] };
  const status = { state: 'TASK_STATE_WORKING' };
  return {
    turn: {
      taskId,
      fence,
      contextId: 'c',
      message,
      task: { id: taskId, contextId: 'c', status },
      configuration: {},
      metadata: {},
      owner: { tenant: '', caller: 'someone', authenticated: true },
      attempt: 1,
      resumed: false,
    },
  };
}

test('a turn that arrived while the host was silent is begun only if it is still this worker’s', async () => {
  const { host, say, connect } = await startRawHost(300);
  const begun: string[] = [];
  const ran = Promise.withResolvers<void>();
  const { answer } = host;
  let unanswered = 0;
  const silent = Promise.withResolvers<void>();
  // As for a process that stands still: nothing is heard for the time of the lease.
  host.answer = () => {
    unanswered += 1;
    if (unanswered === 3) silent.resolve();
  };
  await connect(async ({ taskId }) => {
    begun.push(taskId);
    ran.resolve();
  });
  await silent.promise;
  const asked = Promise.withResolvers<void>();
  host.answer = (report, response) => {
    const lost = report.holds.filter(({ taskId }) => taskId === 'lost');
    const news = lost.map((lease) => ({ abort: { ...lease, reason: 'stale' } }));
    response.end(JSON.stringify({ receipts: [], news }));
    if (lost.length > 0) asked.resolve();
  };
  await say(turnOf('lost'));
  await asked.promise;
  host.answer = answer;
  await say(turnOf('own'));
  await ran.promise;
  expect(begun).toEqual(['own']);
});

test('a turn that is sent again, by a host that replays what it said, is run once', async () => {
  const { say, connect } = await startRawHost(3_000);
  const begun: string[] = [];
  const last = Promise.withResolvers<void>();
  await connect(async ({ taskId }) => {
    begun.push(taskId);
    if (taskId === 'last') last.resolve();
  });
  for (let times = 0; times < 5; times += 1) await say(turnOf('first'));
  await say(turnOf('last'));
  await last.promise;
  expect(begun).toEqual(['first', 'last']);
});

test('a host that gives more turns than it was asked for gets the rest back, untouched', async () => {
  const { host, say, connect } = await startRawHost(3_000);
  const { answer } = host;
  const returned = new Set<string>();
  const enough = Promise.withResolvers<void>();
  host.answer = (report, response) => {
    for (const { taskId, events } of report.batches)
      if (JSON.stringify(events) === '[{"end":{"how":"untouched"}}]') returned.add(taskId);
    if (returned.size === 30) enough.resolve();
    answer(report, response);
  };
  let running = 0;
  await connect(async ({ signal }) => {
    running += 1;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  }, 1);
  for (let number = 0; number < 32; number += 1) await say(turnOf(`task-${number}`));
  await enough.promise;
  expect(running).toBe(2);
});

test('what a host says that no host says is ignored, and an abort with a forged fence stops nothing', async () => {
  const { say, connect } = await startRawHost(3_000);
  const done = Promise.withResolvers<boolean>();
  const goOn = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  await connect(async ({ taskId, signal }) => {
    if (taskId === 'second') {
      goOn.resolve();
      return;
    }
    begun.resolve();
    await goOn.promise;
    done.resolve(signal.aborted);
  });
  await say(turnOf('first'));
  await begun.promise;
  await say({ abort: { taskId: 'first', fence: 'guessed', reason: 'stale' } });
  await say({ abort: { taskId: 'first', fence: 'fence of first', reason: 'because' } });
  await say({ turn: { taskId: 'third' } });
  await say({ unheard: 'of' });
  await say(turnOf('second'));
  expect(await done.promise).toBe(false);
});
