import type { IncomingMessage } from 'node:http';
import type { Observer } from '@holdword/runtime';
import type { RecordRejection, RejectedCaller } from '../hub-part.ts';
import { AGENT_ID_HEADERS } from '../identity/declared-agent.ts';
import { toHubError } from '../wire/encode-error.ts';
import { RestError } from '../wire/hub-error.ts';
import { firstHeader } from '../wire/read-fields.ts';

export function rejectedCaller({ headers, socket }: IncomingMessage): RejectedCaller {
  return { headers, peer: socket.remoteAddress };
}

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
