import { isForbiddenUrlError, type GuardedClient } from '@holdword/net/internal';
import type { CommittedEvent } from '@holdword/store';
import { buildDeliveryRequest } from './delivery-request.ts';
import { classifyResponse, type Outcome } from './classify-response.ts';
import type { PushKeys } from './push-keys.ts';
import type { PushTarget } from './push-target.ts';

export interface SendOptions {
  client: GuardedClient;
  keys: PushKeys;
  timeoutMilliseconds: number;
  /** Aborts an attempt in progress. */
  signal: AbortSignal;
}

/** Only the status of the response counts; a little more is read so that the connection can be reused. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** One attempt to deliver one event to its target. The failure is described without secrets. */
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
    return classifyResponse(answer);
  } catch (error) {
    if (isForbiddenUrlError(error)) {
      return { kind: 'failed', refused: true, error: `the URL must not be called: ${error.message}` };
    }
    return { kind: 'failed', refused: false, error: describe(error, timeoutMilliseconds) };
  }
}

function describe(error: unknown, timeoutMilliseconds: number): string {
  if (!(error instanceof Error)) return 'could not connect';
  if (error.name === 'AbortError' || error.name === 'TimeoutError') {
    return `no response within ${timeoutMilliseconds / 1000} s`;
  }
  return 'code' in error ? `could not connect (${String(error.code)})` : 'could not connect';
}
