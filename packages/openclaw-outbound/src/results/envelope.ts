import type { JsonObject } from '@holdword/protocol';
import { RemoteAgentError, type ErrorCode } from './remote-agent-error.ts';

/** The result for programs: `details` of the tool result. */
export type Envelope = Success | Failure;

export interface Success {
  readonly ok: true;
  readonly operation: 'remote_agent';
  readonly action: string;
  readonly summary: JsonObject;
  readonly raw: unknown;
  /** The original length of `raw`; present if it was cut. */
  readonly raw_cut?: { readonly characters: number; readonly limit: number };
}

export interface Failure {
  readonly ok: false;
  readonly operation: 'remote_agent';
  readonly action: string;
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly details?: JsonObject };
}

/** Unexpected errors are replaced by a generic one, because they may contain secrets and paths. */
export function failure(action: string, error: unknown): Failure {
  const known =
    error instanceof RemoteAgentError
      ? error
      : new RemoteAgentError(
          'INTERNAL_ERROR',
          'Internal error in remote_agent. Try again; if it persists, ask the user to check the gateway log.',
        );
  const { code, message, details } = known;
  return {
    ok: false,
    operation: 'remote_agent',
    action,
    error: { code, message, ...(Object.keys(details).length > 0 && { details }) },
  };
}
