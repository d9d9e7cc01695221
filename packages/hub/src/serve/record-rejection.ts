import type { IncomingMessage } from 'node:http';
import type { Observer, RequestHeaders } from '@holdword/runtime';
import { RestError } from '../errors/rest-error.ts';
import { toHubError } from '../errors/to-hub-error.ts';
import { AGENT_ID_HEADERS } from '../identity/declared-agent.ts';
import { firstHeader } from '../read-fields.ts';

/** Whose call it was, as far as one can see from outside. */
export interface RejectedCaller {
  readonly headers: RequestHeaders;
  /** The address at the other end of the connection. */
  readonly peer: string | undefined;
}

export function rejectedCaller({ headers, socket }: IncomingMessage): RejectedCaller {
  return { headers, peer: socket.remoteAddress };
}

/** Tells the observer of a refusal; the operation is absent when the call was refused before that was known. */
export type RecordRejection = (caller: RejectedCaller, operation: string | undefined, error: unknown) => void;

/** What a caller calls itself goes into a log: no more of it than a name may have. */
const MAX_NAME_LENGTH = 128;

export function createRejectionRecorder(observer: Observer): RecordRejection {
  return ({ headers, peer }, operation, error) =>
    observer.fallbackRejected?.({
      operation,
      named: firstHeader(headers, AGENT_ID_HEADERS)?.slice(0, MAX_NAME_LENGTH),
      peer,
      code: error instanceof RestError ? error.code : toHubError(error).code,
    });
}
