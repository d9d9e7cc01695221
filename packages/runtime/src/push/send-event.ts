import { isForbiddenUrlError, type GuardedClient } from '@holdword/net/internal';
import type { CommittedEvent } from '@holdword/store';
import { buildDeliveryRequest } from './delivery-request.ts';
import { judgeAnswer, type Outcome } from './judge-answer.ts';
import type { PushKeys } from './push-keys.ts';
import type { PushTarget } from './push-target.ts';

export interface SendOptions {
  client: GuardedClient;
  keys: PushKeys;
  timeoutMilliseconds: number;
  /** Gives up an attempt under way. */
  signal: AbortSignal;
}

/** Only the status of an answer counts; a little more is read so that the connection can be used again. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** One attempt to bring one event to its target. What went wrong is told in words that hold no secret. */
export async function sendEvent(
  target: PushTarget,
  event: CommittedEvent,
  { client, keys, timeoutMilliseconds, signal }: SendOptions,
): Promise<Outcome> {
  try {
    const answer = await client.send({
      ...(await buildDeliveryRequest(target, event, keys)),
      url: target.url,
      method: 'POST',
      timeoutMilliseconds,
      maxResponseBytes: MAX_ANSWER_BYTES,
      signal,
    });
    return judgeAnswer(answer);
  } catch (error) {
    if (isForbiddenUrlError(error)) {
      return { kind: 'failed', refused: true, error: `refused to call the URL: ${error.message}` };
    }
    return { kind: 'failed', refused: false, error: describe(error, timeoutMilliseconds) };
  }
}

function describe(error: unknown, timeoutMilliseconds: number): string {
  if (!(error instanceof Error)) return 'no connection';
  if (error.name === 'AbortError' || error.name === 'TimeoutError') {
    return `no answer within ${timeoutMilliseconds / 1000} s`;
  }
  return 'code' in error ? `no connection (${String(error.code)})` : 'no connection';
}
