import type { IncomingMessage } from 'node:http';
import type { Observer } from '@holdword/runtime/observe';
import type { RequestHeaders } from '@holdword/runtime/serve';
import { RestError } from '../errors/rest-error.ts';
import { toHubError } from '../errors/to-hub-error.ts';
import { AGENT_ID_HEADERS } from '../identity/declared-agent.ts';
import { firstHeader } from '../read-fields.ts';

/** Whose call it was, as far as one can see from outside. */
export interface RefusedCaller {
  readonly headers: RequestHeaders;
  /** The address at the other end of the connection. */
  readonly peer: string | undefined;
}

export function refusedCaller({ headers, socket }: IncomingMessage): RefusedCaller {
  return { headers, peer: socket.remoteAddress };
}

/** Tells the observer of a refusal; the operation is absent when the call was refused before that was known. */
export type NoteRefusal = (caller: RefusedCaller, operation: string | undefined, error: unknown) => void;

/** What a caller calls itself goes into a log: no more of it than a name may have. */
const LONGEST_NAME = 128;

export function noteRefusals(observer: Observer): NoteRefusal {
  return ({ headers, peer }, operation, error) =>
    observer.refusedBeside?.({
      operation,
      named: firstHeader(headers, AGENT_ID_HEADERS)?.slice(0, LONGEST_NAME),
      peer,
      code: error instanceof RestError ? error.code : toHubError(error).code,
    });
}
