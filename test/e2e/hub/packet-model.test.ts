import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { message, registerAgent, resultOf, type HubAgent } from './hub-agents.ts';
import { startHub, type Json, type RunningHub } from './start-hub.ts';

/** One line of the journal, as the model gets it. */
interface Line {
  task_id: string;
  sequence: number;
  by: string;
  text: string;
}

/** What the model answers with, given the journal; undefined for no answer at all. */
type Script = (journal: readonly Line[]) => string | undefined;

const REPORT = 'Done: batches 1 to 3\nRemaining: batches 4 to 10\nThe replica lags behind by 40 minutes.';
const SECONDS = 2;

watchForLeaks();
let model: Server;
let script: Script;
let prompts: string[] = [];
/** The messages of the newest request. */
let conversation: string[] = [];
let hub: RunningHub;
let agent: HubAgent;

/** Plays the script, as an API of chat completions does. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { messages } = (await json(request)) as { messages: { content: string }[] };
  const prompt = messages.at(-1)?.content ?? '';
  prompts.push(prompt);
  conversation = messages.map(({ content }) => content);
  const journal = prompt
    .split('\n')
    .filter((line) => line.startsWith('{"task_id"'))
    .map((line) => JSON.parse(line) as Line);
  const content = script(journal);
  if (content === undefined) return;
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const choice = { index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' };
  response.end(JSON.stringify({ model: 'scripted', choices: [choice] }));
}

beforeAll(async () => {
  model = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(model, 'listening');
  const { port } = model.address() as AddressInfo;
  hub = await startHub({
    words: ['--store', 'memory'],
    hubOptions: { packetAgent: 'openai:scripted', packetSeconds: SECONDS },
    agentOptions: { openai: { baseUrl: `http://127.0.0.1:${port}/v1` } },
  });
});
afterAll(async () => {
  await hub.stop();
  model.closeAllConnections();
  model.close();
});

let agents = 0;
beforeEach(async () => {
  prompts = [];
  agent = await registerAgent(hub, `runner-${(agents += 1)}`);
});

async function packetAfter(...reports: string[]): Promise<Json> {
  for (const text of reports) resultOf(await hub.rpc('message/send', message(text), agent.headers));
  const asking = { ...message('What should the next agent remember?'), packet: 'handoff_packet' };
  return resultOf(await hub.rpc('message/send', asking, agent.headers))['handoff_packet'] as Json;
}

/** The event of the report, and a claim about it. */
function claimed(journal: readonly Line[], quote: string, text = quote): Json {
  const line = journal.find((each) => each.text.includes(quote)) ?? journal[0];
  return { text, quote, task_id: line?.task_id, sequence: line?.sequence };
}

test('an honest model writes the packet, and the packet says so', async () => {
  script = (journal) =>
    `Here it is:\n\`\`\`json\n${JSON.stringify({
      remember: [
        claimed(journal, 'Remaining: batches 4 to 10'),
        claimed(journal, 'The replica lags behind by 40 minutes.', 'Replica lags by 40 minutes'),
      ],
      next_action: null,
      risk: claimed(journal, 'The replica lags behind by 40 minutes.', 'The replica lags'),
    })}\n\`\`\``;
  const packet = await packetAfter(REPORT);
  expect(packet).toMatchObject({
    next_agent_should_remember:
      'Remaining: batches 4 to 10\nReplica lags by 40 minutes\nOpen: batches 4 to 10',
    risk_to_watch: 'The replica lags',
    exact_next_action: 'batches 4 to 10',
    written_by: {
      writer: 'model',
      model: 'scripted',
      rejected_count: 0,
      claims: [{ quote: 'Remaining: batches 4 to 10', source: { sequence: 1 } }, {}],
    },
  });
  // It got the report, and not the advice of the hub itself.
  expect(prompts[0]).toContain('batches 4 to 10');
  expect(prompts[0]).not.toContain('Next step');
});

test('what a lying model makes up is thrown away, and what remains stays', async () => {
  script = (journal) =>
    JSON.stringify({
      remember: [
        claimed(journal, 'Remaining: batches 4 to 10', 'Done: batches 1 to 10'),
        claimed(journal, 'Done: batches 1 to 10'),
        { ...claimed(journal, 'Done: batches 1 to 3'), sequence: 99 },
        { ...claimed(journal, 'Done: batches 1 to 3'), task_id: 'another' },
        claimed(journal, 'Done: batches 1 to 3'),
      ],
      next_action: claimed(journal, 'Done: batches 1 to 3', 'Drop the old table'),
    });
  const packet = await packetAfter(REPORT);
  expect(packet).toMatchObject({
    next_agent_should_remember: 'Done: batches 1 to 3\nOpen: batches 4 to 10',
    exact_next_action: 'batches 4 to 10',
    evidence: { remaining: [{ text: 'batches 4 to 10' }] },
    written_by: { writer: 'model', rejected_count: 5 },
  });
  expect(JSON.stringify((packet['written_by'] as Json)['claims'])).not.toContain('1 to 10');
});

test('a model that says nothing true leaves the packet to the rules', async () => {
  script = (journal) =>
    JSON.stringify({ remember: [claimed(journal, 'Remaining: batches 4 to 10', 'Nothing is left to do')] });
  expect(await packetAfter(REPORT)).toMatchObject({
    exact_next_action: 'batches 4 to 10',
    next_agent_should_remember: expect.stringContaining('Open: batches 4 to 10'),
    written_by: {
      writer: 'rules',
      reason: 'The journal bears out no claim of the model. The quoted line does not say "nothing".',
    },
  });
});

test.each<[string, Script, string]>([
  ['is slow', () => undefined, `The model took longer than ${SECONDS} s.`],
  ['answers with broken JSON', () => '{"remember": [', 'The answer of the model is not JSON.'],
  ['answers with something else', () => '{"remember": "all is well"}', 'is not a packet: remember'],
  ['answers with too much', () => 'x'.repeat(70_000), 'The answer of the model is too long.'],
  ['answers with nothing', () => '', 'The answer of the model is not JSON.'],
])('a model that %s leaves the packet to the rules, which says so', async (_name, behaviour, reason) => {
  script = behaviour;
  expect(await packetAfter(REPORT)).toMatchObject({
    exact_next_action: 'batches 4 to 10',
    handoff_confidence: 'high',
    written_by: { writer: 'rules', model: 'scripted', reason: expect.stringContaining(reason) },
  });
});

test('a session in which nobody wrote down what comes next gets the words of the model', async () => {
  script = (journal) => {
    const quote = 'The nightly export stops at table orders';
    return JSON.stringify({ remember: [claimed(journal, quote)], next_action: claimed(journal, quote) });
  };
  expect(await packetAfter('The nightly export stops at table orders with a lock timeout.')).toMatchObject({
    exact_next_action: 'The nightly export stops at table orders',
    written_by: { writer: 'model' },
  });
});

test('a command-line agent can write the packet as well', async () => {
  const writer = join(import.meta.dirname, 'agents', 'packet-writer.ts');
  const other = await startHub({
    words: ['--store', 'memory'],
    hubOptions: { packetAgent: `exec:"${process.execPath}" "${writer}"` },
  });
  try {
    const runner = await registerAgent(other, 'runner');
    resultOf(await other.rpc('message/send', message(REPORT), runner.headers));
    const asking = { ...message('What should the next agent remember?'), packet: 'handoff_packet' };
    const { handoff_packet } = resultOf(await other.rpc('message/send', asking, runner.headers));
    expect(handoff_packet).toMatchObject({
      next_agent_should_remember: 'Remaining: batches 4 to 10\nOpen: batches 4 to 10',
      written_by: { writer: 'model' },
    });
  } finally {
    await other.stop();
  }
});

test('a model that answers messages gets what the hub knows of the session', async () => {
  const { port } = model.address() as AddressInfo;
  const other = await startHub({
    words: ['--store', 'memory', '--agent', 'openai:scripted'],
    agentOptions: { openai: { baseUrl: `http://127.0.0.1:${port}/v1` } },
  });
  try {
    const runner = await registerAgent(other, 'runner');
    script = () => 'Send one request after a minute.';
    resultOf(await other.rpc('message/send', message(REPORT), runner.headers));
    resultOf(await other.rpc('heartbeat/bundle', { errors_last_hour: 40 }, runner.headers));
    const asking = message('Every call returns 429.');
    expect(resultOf(await other.rpc('message/send', asking, runner.headers))).toMatchObject({
      messages: [{ parts: [{ text: 'Send one request after a minute.' }] }],
    });
    const [facts, last] = conversation.slice(-2);
    expect(last).toBe('Every call returns 429.');
    expect(facts).toContain('"errors_last_hour":40');
    expect(facts).toContain('"remaining":["batches 4 to 10"]');
    expect(facts).toContain('"incident":"rate limiting"');
  } finally {
    await other.stop();
  }
});
