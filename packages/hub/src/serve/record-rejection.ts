import type { IncomingMessage } from 'node:http';
import type { Observer, RequestHeaders } from '@holdword/runtime';
import { RestError } from '../errors/rest-error.ts';
import { toHubError } from '../errors/to-hub-error.ts';
import { AGENT_ID_HEADERS } from '../identity/declared-agent.ts';
import { firstHeader } from '../read-fields.ts';

/** What is known about the sender of a rejected request. */
export interface RejectedCaller {
  readonly headers: RequestHeaders;
  /** The address at the other end of the connection. */
  readonly peer: string | undefined;
}

export function rejectedCaller({ headers, socket }: IncomingMessage): RejectedCaller {
  return { headers, peer: socket.remoteAddress };
}

/** Reports a rejected request to the observer. The operation is undefined if it was not known yet. */
export type RecordRejection = (caller: RejectedCaller, operation: string | undefined, error: unknown) => void;

/** The declared agent id goes into the audit log, so its length is limited. */
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
