import { asObject } from '@holdword/protocol/internal';
import { expect, test } from 'vitest';
import { createResponder } from '../responder/responder.ts';
import { startTestHub } from '../testing/start-test-hub.ts';
import type { Evidence, Fact } from './evidence/evidence.ts';
import { ASK } from './testing/reported-sessions.ts';
import { TOLD_SESSIONS } from './testing/told-sessions.ts';

const FINISHED = /nothing is left/i;

function texts(facts: readonly Fact[]): string[] {
  return facts.map(({ text }) => text);
}

test.each(TOLD_SESSIONS)('$name', async (session) => {
  const hub = await startTestHub({ executor: (store) => createResponder({ store }) });
  const me = await hub.register('runner-01');
  const send = (text: string, more = {}) => {
    const message = { role: 'user', parts: [{ kind: 'text', text }] };
    return hub.result('message/send', { message, mode: 'neutral', ...more }, me);
  };
  let answer = '';
  for (const text of session.messages) {
    const { messages } = await send(text);
    answer = (messages as { parts: { text: string }[] }[])
      .flatMap(({ parts }) => parts.map((part) => part.text))
      .join('\n');
  }
  const result = await send(ASK, { packet: 'handoff_packet' });
  const packet = asObject(result['handoff_packet']);
  const evidence = packet['evidence'] as Evidence;
  const next = String(packet['exact_next_action']);
  const done = texts(evidence.done);
  const open = [...texts(evidence.remaining), next];
  for (const text of session.done ?? []) expect(done).toContainEqual(expect.stringMatching(text));
  for (const text of session.notDone ?? []) expect(done).not.toContainEqual(expect.stringMatching(text));
  for (const text of session.open ?? []) expect(open).toContainEqual(expect.stringMatching(text));
  for (const text of session.notOpen ?? []) expect(open).not.toContainEqual(expect.stringMatching(text));
  if (session.next !== undefined) expect(next).toMatch(session.next);
  if (session.isFinished !== true) expect(next).not.toMatch(FINISHED);
  else expect(next).toMatch(FINISHED);
  if (session.error === null) expect(evidence.last_error).toBeNull();
  if (session.error instanceof RegExp) expect(evidence.last_error?.text).toMatch(session.error);
  if (session.risk !== undefined) expect(packet['risk_to_watch']).toMatch(session.risk);
  for (const text of session.answer ?? []) expect(answer).toMatch(text);
  for (const text of session.answerNever ?? []) expect(answer).not.toMatch(text);
});
