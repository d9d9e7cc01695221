import type { JsonObject } from '@holdword/protocol';
import { RemoteAgentError, type ErrorCode } from './remote-agent-error.ts';

/** What a call gives to programs: the tool result's `details`. */
export type Envelope = Success | Failure;

export interface Success {
  readonly ok: true;
  readonly operation: 'remote_agent';
  readonly action: string;
  readonly summary: JsonObject;
  readonly raw: unknown;
  /** How long `raw` was; present when it was cut. */
  readonly raw_cut?: { readonly characters: number; readonly limit: number };
}

export interface Failure {
  readonly ok: false;
  readonly operation: 'remote_agent';
  readonly action: string;
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly details?: JsonObject };
}

/** Errors that nobody foresaw are not shown: they may hold secrets and paths. */
export function failure(action: string, error: unknown): Failure {
  const known =
    error instanceof RemoteAgentError
      ? error
      : new RemoteAgentError(
          'INTERNAL_ERROR',
          'remote_agent met an internal error. Try again; if it stays, tell the user to look into the log.',
        );
  const { code, message, details } = known;
  return {
    ok: false,
    operation: 'remote_agent',
    action,
    error: { code, message, ...(Object.keys(details).length > 0 && { details }) },
  };
}
