import { setImmediate as yieldTurn, setTimeout as pause } from 'node:timers/promises';
import type { HostEvent, HostTurn, HostTurnEnd } from '@holdword/openclaw-a2a-inbound/testing';
import { numbersUpTo } from '../journal/check-outcome.ts';

/** The open questions of tools that need permission. */
type OpenQuestions = Map<string, () => void>;

/** A turn that runs again after a restart has lost the client that meant to cancel it. */
const LONGEST_SECONDS = 5;

/**
 * The turns of an agent that understands the commands of the campaigns, reported like a gateway does: `echo`, `count to`,
 * `wait`, and `ask` and `login`, which need permission. Anything else gets a short reply.
 */
export async function scriptedDispatch(turn: HostTurn, questions: OpenQuestions): Promise<HostTurnEnd> {
  const { signal, text } = turn;
  const onEvent = (event: HostEvent): void => turn.onEvent(event);
  onEvent({ kind: 'run-started' });
  const [, work = text, amount = '0'] = /^(echo|count|wait|ask|login)\b(?: to)? ?(.*)$/.exec(text) ?? [];
  if (work === 'wait') {
    await pause(Math.min(Number.parseInt(amount, 10), LONGEST_SECONDS) * 1_000, undefined, { signal });
  }
  if (work === 'ask' || work === 'login') await askPermission(turn, questions);
  const answer =
    work === 'echo' ? amount : work === 'count' ? numbersUpTo(Number.parseInt(amount, 10)) : 'Done.';
  onEvent({ kind: 'assistant-message-started' });
  await speak(answer, onEvent, signal);
  onEvent({ kind: 'outcome', outcome: 'completed' });
  onEvent({ kind: 'reply', reply: 'final', text: answer, media: [], isError: false });
  return { kind: 'ended' };
}

async function askPermission(turn: HostTurn, questions: OpenQuestions): Promise<void> {
  const { messageId, session, signal } = turn;
  const approvalId = `approval-${messageId}`;
  const decided = Promise.withResolvers<void>();
  questions.set(approvalId, decided.resolve);
  signal.addEventListener('abort', () => decided.reject(signal.reason));
  const approval = {
    approvalId,
    approvalKind: 'exec',
    sessionKey: session.conversationId,
    decisions: ['allow-once', 'deny'],
    expiresAt: '2100-01-01T00:00:00.000Z',
    command: 'true',
  } as const;
  turn.onEvent({ kind: 'approval', approval });
  await decided.promise;
  questions.delete(approvalId);
}

/** Sends the text line by line, each time the whole text so far. */
async function speak(
  answer: string,
  onEvent: (event: HostEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let end = answer.indexOf('\n'); end !== -1; end = answer.indexOf('\n', end + 1)) {
    onEvent({ kind: 'partial-text', text: answer.slice(0, end + 1) });
    await yieldTurn();
    signal.throwIfAborted();
  }
  onEvent({ kind: 'partial-text', text: answer });
}
