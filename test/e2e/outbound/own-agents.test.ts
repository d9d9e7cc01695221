import type { Executor } from '@holdword/runtime';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Gates } from '../../support/gates.ts';
import { SCRIPTED_CARD } from '../../support/scripted-agent.ts';
import { startAgent } from '../../support/start-agent.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { TestAgent } from '../../support/test-agent.ts';
import { startCuttingProxy } from '../client/cutting-proxy.ts';
import { cardFor, portOf, startCardServer, type Wire } from '../client/start-card-server.ts';
import { call, openRemoteAgent, send, type CallResult } from './call-remote-agent.ts';

/* The tool with agents that support our extensions: nothing is lost and nothing runs twice. */

const WIRE = { binding: 'JSONRPC', version: '1.0' } as const satisfies Wire;
const CHUNKS = Array.from({ length: 60 }, (_, index) => `chunk ${index + 1} ${'x'.repeat(100)}`);

/** Sends all chunks once the gate `go` is open. */
function countingAgent(gates: Gates): Executor {
  return {
    card: SCRIPTED_CARD,
    execute: async (turn, sink) => {
      await gates.pass('go', turn.signal);
      for (const [index, chunk] of CHUNKS.entries()) {
        await sink.artifact({ artifactId: 'a', parts: chunk, append: index > 0 });
        await sink.flush();
      }
      await sink.complete();
    },
  };
}

async function startOwnAgent(options: Parameters<typeof startAgent>[0] = {}): Promise<TestAgent> {
  const agent = await startAgent(options);
  onTestFinished(() => agent.close());
  return agent;
}

/** The configuration of a target whose connections go through a proxy that cuts them. */
async function behindProxy(agent: TestAgent, nextCut: () => number | undefined) {
  const proxy = await startCuttingProxy({ port: portOf(agent, 'JSONRPC'), nextCut });
  const card = new URL(await startCardServer(await cardFor(agent, WIRE, proxy.port)));
  const target = { alias: 'peer', baseUrl: card.origin, cardPath: card.pathname, default: true };
  return { proxy, baseUrl: card.origin, configuration: { targets: [target] } };
}

async function countTasks(agent: TestAgent): Promise<number> {
  const driver = await agent.driver({ ...WIRE, client: 'raw' });
  return (await driver.list({})).totalSize;
}

function continuationOf({ details }: CallResult): { task: { task_id: string; task_handle: string } } {
  return details.summary?.['continuation'] as ReturnType<typeof continuationOf>;
}

describe('connections that are lost', () => {
  test('lose no event of a followed message and start no second task', async () => {
    const gates = new Gates();
    gates.open('go');
    const agent = await startOwnAgent({ executor: countingAgent(gates) });
    let next = 0;
    const { proxy, baseUrl, configuration } = await behindProxy(agent, () => 1_500 * (next += 1));
    const tool = openRemoteAgent(baseUrl, configuration);
    const { details } = await call(tool, send('count', { follow_updates: true }));
    expect(details).toMatchObject({ ok: true, summary: { message_text: CHUNKS.join('') } });
    expect(proxy.cuts()).toBeGreaterThan(1);
    expect(await countTasks(agent)).toBe(1);
  });

  test('lose no event of a watched task', async () => {
    const gates = new Gates();
    const agent = await startOwnAgent({ executor: countingAgent(gates) });
    let next = 0;
    const { proxy, baseUrl, configuration } = await behindProxy(agent, () =>
      next === 0 ? undefined : 1_500 * (next += 1),
    );
    const tool = openRemoteAgent(baseUrl, configuration);
    const begun = await call(tool, send('count', { task_requirement: 'required' }));
    const { details } = await call(
      tool,
      { action: 'watch', continuation: continuationOf(begun) },
      {
        onUpdate: () => {
          next ||= 1;
          gates.open('go');
        },
      },
    );
    expect(details).toMatchObject({ ok: true, summary: { message_text: CHUNKS.join('') } });
    expect(proxy.cuts()).toBeGreaterThan(1);
  });
});

test('an unanswered message that the model sends again stays one task', async () => {
  const agent = await startOwnAgent();
  const tool = openRemoteAgent(agent.target.baseUrl);
  const late = await call(tool, send('wait late; artifact a done; complete', { timeout_ms: 3_000 }));
  expect(late.details.error).toMatchObject({
    message: 'request timed out',
    details: { suggested_action: 'status', continuation: { task: { status: 'working' } } },
  });
  await agent.gates.reached('late');
  agent.gates.open('late');
  const again = await call(tool, send('wait late; artifact a done; complete'));
  expect(again.details).toMatchObject({ ok: true, summary: { message_text: 'done' } });
  expect(await countTasks(agent)).toBe(1);
});

test('aborting a blocking send cancels its task', async () => {
  const agent = await startOwnAgent();
  const tool = openRemoteAgent(agent.target.baseUrl);
  const stop = new AbortController();
  const sending = call(tool, send('wait never; complete'), { signal: stop.signal });
  await agent.gates.reached('never');
  stop.abort();
  expect((await sending).details.error).toMatchObject({ message: 'request was aborted' });
  await agent.gates.abandoned('never');
});

test('a handle refers to the same task after a restart', async () => {
  const agent = await startOwnAgent();
  const state = await temporaryFolder();
  onTestFinished(() => state.remove());
  const before = openRemoteAgent(agent.target.baseUrl, {}, { stateFolder: state.path });
  const begun = continuationOf(await call(before, send('ask Which one?')));
  await before.close();
  const after = openRemoteAgent(agent.target.baseUrl, {}, { stateFolder: state.path });
  const { task_handle, task_id } = begun.task;
  const answered = await call(after, send('artifact a this one; complete', { task_handle }));
  expect(answered.details).toMatchObject({
    ok: true,
    summary: { continuation: { task: { task_id, task_handle, status: 'completed' } } },
  });
});

test('a question answered with a stream is not taken for the answer', async () => {
  const agent = await startOwnAgent();
  const tool = openRemoteAgent(agent.target.baseUrl);
  const asked = await call(tool, send('ask Which one?', { follow_updates: true }));
  expect(asked.details.summary).toMatchObject({ question: { kind: 'input-required', text: 'Which one?' } });
  const continuation = continuationOf(asked);
  for (const requirement of ['optional', 'required']) {
    const answered = await call(
      tool,
      send('artifact a more; ask And now?', {
        continuation,
        follow_updates: true,
        task_requirement: requirement,
      }),
    );
    expect(answered.details.summary).toMatchObject({
      question: { text: expect.stringContaining('And now?') },
    });
  }
});

test('a continuation that is passed back unchanged continues the conversation', async () => {
  const agent = await startOwnAgent();
  const tool = openRemoteAgent(agent.target.baseUrl);
  const first = await call(tool, send('artifact a one; complete'));
  const continuation = continuationOf(first);
  const second = await call(tool, send('remember; complete', { continuation }));
  expect(second.details.summary).toMatchObject({ message_text: expect.stringMatching(/^[1-9]/) });
  // One from before the end of its task, which this tool has not seen.
  const begun = continuationOf(
    await call(tool, send('wait gate; complete', { task_requirement: 'required' })),
  );
  agent.gates.open('gate');
  await call(tool, { action: 'watch', continuation: begun });
  const other = openRemoteAgent(agent.target.baseUrl);
  const third = await call(other, send('artifact a three; complete', { continuation: begun }));
  expect(third.details).toMatchObject({ ok: true, summary: { message_text: 'three' } });
});

test('a question that was just answered is not asked again', async () => {
  const agent = await startOwnAgent();
  const tool = openRemoteAgent(agent.target.baseUrl);
  const continuation = continuationOf(await call(tool, send('ask Which one?')));
  const answered = await call(
    tool,
    send('wait gate; complete', { continuation, task_requirement: 'required' }),
  );
  agent.gates.open('gate');
  expect(answered.details.summary).not.toHaveProperty('question');
  expect(answered.details.summary).not.toHaveProperty('message_text');
});
