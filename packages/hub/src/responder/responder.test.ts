import type { JsonObject } from '@holdword/protocol';
import { openMemoryStore } from '@holdword/store';
import { expect, test } from 'vitest';
import { START, startHubScene, type HubScene, type TestAgent } from '../testing/start-hub-scene.ts';
import { createResponder } from './responder.ts';

const STORM = 'We are stuck in a retry storm (429). Need a calm next step.';

interface Scene extends HubScene {
  readonly agent: TestAgent;
  /** The lines of the answer and its next action. */
  readonly ask: (text: string, more?: JsonObject) => Promise<{ lines: string[]; next: unknown; id: string }>;
}

async function startScene(): Promise<Scene> {
  const store = openMemoryStore();
  const hub = await startHubScene(createResponder({ store, now: () => START }), { store });
  const agent = await hub.register('runner-01');
  return {
    ...hub,
    agent,
    ask: async (text, more = {}) => {
      const answer = await hub.call('message/send', { text, ...more }, agent);
      const [message] = answer['messages'] as { parts: { text: string }[] }[];
      const lines = message?.parts.flatMap((part) => part.text.split('\n')) ?? [];
      return { lines, next: answer['next_action'], id: String(answer['id']) };
    },
  };
}

test('names the incident and its symptom, and advises one step', async () => {
  const { ask } = await startScene();
  const { lines, next } = await ask(STORM, { mode: 'neutral' });
  expect(lines).toEqual([
    'Incident: rate limiting.',
    'Symptom: your message says "retry storm".',
    `Next step: ${String(next)}`,
    'Reason: Every retry counts against the same limit.',
    'Report the result in the same session.',
  ]);
  expect(next).toMatch(/^Stop all automatic retries/);
});

test.each([
  ['auto', /^Thank you for telling me where things stand/, 6],
  ['strict_neutral', /^Incident: /, 5],
  ['ops', /^DO: Stop all/, 5],
  ['heartbeat', /^Stop all/, 1],
  ['agent', /^incident: /, 3],
])('uses the tone of the mode %s', async (mode, first, count) => {
  const { ask } = await startScene();
  const { lines } = await ask(STORM, { mode, profile: 'full' });
  expect(lines[0]).toMatch(first);
  expect(lines).toHaveLength(count);
});

test('advises the next step if one did not help, and cites the task of that report', async () => {
  const { ask } = await startScene();
  const first = await ask(STORM, { mode: 'neutral' });
  const second = await ask('That did not help.', { mode: 'neutral' });
  expect(second.next).toMatch(/^Send one single request/);
  expect(second.lines).toContain(
    `Earlier: 2027-01-15T08:00:00.000Z (task ${first.id}): "${String(first.next)}" ` +
      `You reported that it did not help (task ${second.id}).`,
  );
});

test('handles a new incident that is described together with a success', async () => {
  const { ask } = await startScene();
  await ask(STORM);
  const { lines } = await ask('That worked, but now we get ECONNREFUSED.', { mode: 'neutral' });
  expect(lines).toContain('Incident: a failing dependency.');
});

test('starts with what helped in an earlier session', async () => {
  const { ask, pass } = await startScene();
  await ask(STORM);
  await ask('It did not help.');
  const relief = await ask('That worked.', { mode: 'neutral' });
  expect(relief.lines.slice(-2)).toEqual(['The step is recorded as helpful.', 'No further step is needed.']);
  pass(2 * 3_600_000);
  const again = await ask(STORM, { mode: 'neutral' });
  expect(again.next).toMatch(/^Send one single request/);
  expect(again.lines).toContainEqual(expect.stringMatching(/You reported that it helped \(task/));
});

test('reads the incident from the heartbeat if the message describes none', async () => {
  const { call, ask, agent } = await startScene();
  await call('heartbeat/bundle', { errors_last_hour: 40 }, agent);
  const { lines } = await ask('Checking in.', { mode: 'neutral' });
  expect(lines.slice(0, 2)).toEqual([
    'Incident: more errors than usual.',
    'Symptom: your heartbeat at 2027-01-15T08:00:00.000Z reported errors in the last hour: 40, which is high.',
  ]);
});

/** Every known step is reported not to help; what is advised in the end. */
async function exhaust(ask: Scene['ask']): Promise<unknown> {
  let last = await ask(STORM);
  for (let step = 0; step < 12; step += 1) last = await ask('It did not help.');
  return last.next;
}

test('advises to ask a person for help if there is no task to hand over', async () => {
  const { ask } = await startScene();
  expect(await exhaust(ask)).toMatch(/^Stop here and tell the person/);
});

test('advises to hand over a task that is really open, however many have ended since', async () => {
  const store = openMemoryStore();
  const responder = createResponder({ store, now: () => START });
  const hub = await startHubScene(
    {
      ...responder,
      execute: (turn, sink) =>
        turn.message.parts[0]?.text === 'open' ? sink.askInput('Which one?') : responder.execute(turn, sink),
    },
    { store },
  );
  const agent = await hub.register('runner-01');
  const ask: Scene['ask'] = async (text) => {
    const { next_action: next, id } = await hub.call('message/send', { text }, agent);
    return { lines: [], next, id: String(id) };
  };
  const { id } = await ask('open');
  for (let count = 0; count < 60; count += 1) await ask('All is well.');
  expect(await exhaust(ask)).toMatch(/^Stop here and offer your open task/);
  // As advised: the task that is offered is the open one. Without it there is nothing to offer.
  await hub.register('heir');
  const offer = { to_agent_id: 'heir', task_id: id };
  expect(await hub.call('handoff/offer', offer, agent)).toMatchObject({ task_id: id, status: 'offered' });
  await hub.call('tasks/cancel', { task_id: id }, agent);
  expect((await ask('It did not help.')).next).toMatch(/^Stop here and tell the person/);
});

test('identifies agents by owner, whatever the metadata of a request says', async () => {
  const { hub: _, runtime, ask } = await startScene();
  await ask(STORM);
  const metadata = { 'urn:holdword:hub:v1': { agentId: 'runner-01', sessionId: 's', mode: 'neutral' } };
  const answer = await runtime.operations.sendMessage(
    { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: STORM }] }, metadata },
    {
      owner: { tenant: '', caller: 'agent:other', authenticated: true },
      extensions: new Set(),
      signal: new AbortController().signal,
    },
  );
  const words = 'task' in answer ? answer.task.status.message?.parts[0]?.text : '';
  expect(words).toMatch(/Next step: Stop all automatic retries/);
  expect(words).not.toContain('Earlier');
});
