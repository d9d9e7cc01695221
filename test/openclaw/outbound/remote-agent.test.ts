import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  beginTurn,
  callInTurn,
  callTools,
  toolUpdates,
  type Continuation,
  type ModelResult,
} from './call-in-turn.ts';
import { startOutbound, type OutboundGateway } from './start-outbound.ts';

let gateway: OutboundGateway;

beforeAll(async () => {
  gateway = await startOutbound();
});

afterAll(() => gateway.close());

const say = (text: string): object[] => [{ kind: 'text', text }];
const same = ({ summary }: ModelResult): Continuation => summary.continuation ?? {};
const statusOf = (result: ModelResult | undefined): unknown => result?.summary.continuation?.task?.status;
const textOf = (result: ModelResult | undefined): string => result?.summary.message_text ?? '';

/** A card as the model reads it, with this text. */
const card = (content: string): unknown =>
  expect.stringMatching(new RegExp(`^<<<REMOTE_AGENT[^]*${content}`));

test('the model lists the targets and gets the error of an invalid call', async () => {
  const [listed, rejected] = await callInTurn(
    gateway,
    { action: 'list_targets' },
    { action: 'status', task_handle: 'rah_of-nobody' },
  );
  expect(listed).toMatchObject({
    ok: true,
    summary: {
      targets: [
        { target_alias: 'holdword', default: true, description: 'Does what it is told.' },
        { target_alias: 'sdk', peer_card: card('SDK agent') },
        { target_alias: 'legacy-sdk', peer_card: card('"streaming":true') },
        { target_alias: 'openclaw', peer_card: card('OpenClaw agent main.') },
      ],
    },
  });
  expect(rejected).toMatchObject({ ok: false, error: { code: 'UNKNOWN_TASK_HANDLE' } });
  // It is called directly although other tools are behind a search.
  const { tools = [] } = gateway.model.requestsWith('Please do').at(-1) ?? {};
  expect(tools).toEqual(expect.arrayContaining(['remote_agent', 'tool_search']));
});

test('mistakes in a call are answered by the tool, which names what is available', async () => {
  const results = await callInTurn(
    gateway,
    { action: 'send', target_alias: 'holdwrod', parts: say('hi') },
    { action: 'delete' },
    { action: 'send', parts: [{ text: 'hi' }] },
    { action: 'send', parts: say('hi'), targetAlias: 'sdk' },
  );
  expect(results).toMatchObject([
    {
      error: {
        code: 'TARGET_RESOLUTION_ERROR',
        details: {
          availableAliases: ['holdword', 'sdk', 'legacy-sdk', 'openclaw'],
          hint: expect.stringContaining('did you mean "holdword"?'),
        },
      },
    },
    { error: { code: 'VALIDATION_ERROR', details: { hint: expect.stringContaining('list_targets, send') } } },
    { error: { details: { errors: [{}], hint: expect.stringContaining('{"kind":"text"') } } },
    { error: { details: { hint: expect.stringContaining('did you mean "target_alias"?') } } },
  ]);
});

test('a continuation of a task that has ended continues its conversation', async () => {
  const [first, second] = await callInTurn(
    gateway,
    { action: 'send', parts: say('artifact a one; complete') },
    (sent) => ({ action: 'send', continuation: same(sent), parts: say('artifact a two; complete') }),
  );
  expect(textOf(second)).toContain('two');
  expect(second?.summary.continuation?.['conversation']).toEqual(
    first?.summary.continuation?.['conversation'],
  );
  expect(second?.summary.continuation?.task?.task_id).not.toBe(first?.summary.continuation?.task?.task_id);
});

const PEERS = [
  { alias: 'holdword', canCancel: true },
  { alias: 'sdk', canCancel: true },
  { alias: 'legacy-sdk', canCancel: true },
  // It has no cancel operation.
  { alias: 'openclaw', canCancel: false },
] as const;

test.each(PEERS)('every action works with $alias', async ({ alias, canCancel }) => {
  const { gates, quick, slow, endless } = await gateway.workOf(alias);
  const target = { action: 'send', target_alias: alias };
  let slowOne: Continuation = {};
  const { turn, results } = await beginTurn(gateway, [
    { ...target, parts: say(quick) },
    { ...target, parts: say(slow), task_requirement: 'required' },
    (sent) => ({ action: 'status', continuation: (slowOne = same(sent)) }),
    () => ({ action: 'watch', continuation: slowOne }),
    { ...target, parts: say(endless), task_requirement: 'required' },
    (sent) => ({ action: 'cancel', continuation: same(sent) }),
  ]);
  await expect.poll(() => toolUpdates(turn, 3)).toContainEqual(expect.stringContaining('working'));
  gates.open(`${alias}-slow`);
  const [answered, begun, asked, watched, , canceled] = await results();
  gates.open(`${alias}-endless`);
  expect(statusOf(answered), textOf(answered)).toBe('completed');
  expect(textOf(answered)).toMatch(/^<<<REMOTE_AGENT_CONTENT id="\w+">>>\n[^]*quick answer[^]*<<<END/);
  expect(begun).toMatchObject({ ok: true, summary: { response_kind: 'task', target_alias: alias } });
  expect(statusOf(asked)).toBe('working');
  expect(asked?.summary.continuation?.task?.task_id).toBe(begun?.summary.continuation?.task?.task_id);
  expect(statusOf(watched)).toBe('completed');
  expect(textOf(watched)).toContain('slow answer');
  expect(toolUpdates(turn, 3)).toContainEqual(expect.stringContaining('completed'));
  if (canCancel) expect(statusOf(canceled)).toBe('canceled');
  else expect(canceled?.error?.details).toMatchObject({ errorName: 'UNSUPPORTED_OPERATION' });
});

test('a question is structured, its answer continues the task, and several agents are called in parallel', async () => {
  const [asked, answered, both] = await callInTurn(
    gateway,
    { action: 'send', parts: say('ask Which colour?'), follow_updates: true },
    (sent) => ({ action: 'send', continuation: same(sent), parts: say('artifact a blue; complete') }),
    { action: 'send', target_aliases: ['sdk', 'legacy-sdk'], parts: say('artifact a from both') },
  );
  expect(asked?.summary.question).toMatchObject({
    kind: 'input-required',
    text: expect.stringMatching(/^<<<REMOTE_AGENT[^]*Which colour\?/),
  });
  expect(statusOf(answered)).toBe('completed');
  expect(textOf(answered)).toContain('blue');
  expect(both?.summary).toMatchObject({
    branches: [
      { target_alias: 'sdk', ok: true, summary: { continuation: { task: { status: 'completed' } } } },
      { target_alias: 'legacy-sdk', ok: true, summary: { continuation: { task: { status: 'completed' } } } },
    ],
  });
});

test.each(['holdword', 'sdk', 'legacy-sdk'] as const)(
  'an aborted turn cancels its task of %s',
  async (alias) => {
    const { gates } = await gateway.workOf(alias);
    const { turn } = await beginTurn(gateway, [
      { action: 'send', target_alias: alias, parts: say('wait never') },
    ]);
    await gates.reached('never');
    await turn.abort();
    expect(await turn.ended).toBe('aborted');
    await gates.abandoned('never');
  },
);

test('the model reads a file that an agent has returned', async () => {
  const table = Buffer.from('colour,count\nblue,7\n').toString('base64');
  const sent = await callTools(gateway, [
    ['remote_agent', { action: 'send', parts: say(`part raw ${table}; complete`) }],
    (result) => ['read', { path: JSON.parse(result).summary.files[0].path }],
  ]);
  expect(sent[1]).toContain('blue,7');
});

// Last, because its restart takes longest.
test('handles survive a restart of the gateway', async () => {
  const { gates } = gateway.holdword;
  const [begun] = await callInTurn(gateway, {
    action: 'send',
    task_requirement: 'required',
    parts: say('wait restart; artifact late kept; complete'),
  });
  const task_handle = begun?.summary.continuation?.task?.task_handle;
  expect(task_handle).toMatch(/^rah_/);
  await gateway.killAndStart();
  const [asked, watched] = await callInTurn(gateway, { action: 'status', task_handle }, () => {
    gates.open('restart');
    return { action: 'watch', task_handle };
  });
  expect(statusOf(asked)).toBe('working');
  expect(statusOf(watched)).toBe('completed');
  expect(textOf(watched)).toContain('kept');
});
