import { asObject } from '@holdword/protocol/internal';
import { expect, test } from 'vitest';
import { createResponder } from '../responder/responder.ts';
import { startTestHub } from '../testing/start-test-hub.ts';
import type { Evidence, Fact } from './evidence/evidence.ts';
import { ASK, REPORTED_SESSIONS } from './testing/reported-sessions.ts';
import { REPORTED_TROUBLE } from './testing/reported-trouble.ts';
import { REPORTED_WORK } from './testing/reported-work.ts';

function texts(facts: readonly Fact[]): string[] {
  return facts.map(({ text }) => text);
}

test.each([...REPORTED_SESSIONS, ...REPORTED_WORK, ...REPORTED_TROUBLE])('$name', async (session) => {
  const hub = await startTestHub({ executor: (store) => createResponder({ store }) });
  const me = await hub.register('runner-01');
  let result = {};
  for (const [index, text] of session.messages.entries()) {
    const isLast = index === session.messages.length - 1;
    const message = { role: 'user', parts: [{ kind: 'text', text }] };
    result = await hub.result('message/send', { message, ...(isLast && { packet: 'handoff_packet' }) }, me);
  }
  const packet = asObject(asObject(result)['handoff_packet']);
  const evidence = packet['evidence'] as Evidence;
  if (typeof session.next === 'string') expect(packet['exact_next_action']).toBe(session.next);
  else expect(packet['exact_next_action']).toMatch(session.next);
  if (session.remaining !== undefined) expect(texts(evidence.remaining)).toEqual(session.remaining);
  if (session.done !== undefined) expect(texts(evidence.done)).toEqual(session.done);
  if (session.decisions !== undefined) expect(texts(evidence.decisions)).toEqual(session.decisions);
  if (session.risk !== undefined) expect(packet['risk_to_watch']).toMatch(session.risk);
  if (session.questions !== undefined) expect(texts(evidence.open_questions)).toEqual(session.questions);
  if (session.error !== undefined) expect(evidence.last_error?.text ?? null).toBe(session.error);
  if (session.confidence !== undefined) expect(packet['handoff_confidence']).toBe(session.confidence);
  const sentences = ['topic', 'next_agent_should_remember', 'risk_to_watch', 'exact_next_action']
    .map((field) => `${field}: ${String(packet[field])}`)
    .join('\n');
  for (const text of session.never ?? []) expect(sentences).not.toContain(text);
  for (const item of [...(session.remaining ?? []), ...(session.done ?? [])])
    expect(sentences).toContain(item);
  // The newest message that is not a question is told word for word.
  const newest = session.messages.findLast(
    (text) => text !== ASK && !/password|próximo agente|^(?:thanks|ok)/.test(text),
  );
  if (newest !== undefined && evidence.last_report !== null)
    expect(JSON.stringify(packet)).toContain(JSON.stringify(newest).slice(1, -1));
  // Every fact names the event that states it.
  for (const { source } of [...evidence.done, ...evidence.remaining, ...evidence.decisions]) {
    const [event] = await hub.store.readEvents(source.task_id, source.sequence - 1, 1);
    expect(event?.sequence).toBe(source.sequence);
  }
});
