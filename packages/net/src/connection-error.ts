import { errorCode, hasErrorCode } from '@holdword/protocol/internal';

/** A request that got no response. Its message is a clause that says what happened, without the address. */
export class ConnectionError extends Error {
  readonly code = 'CONNECTION_FAILED';
  /** Whether the connection was established, so that the request may have arrived. */
  readonly sent: boolean;

  constructor(message: string, options: { sent: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ConnectionError';
    this.sent = options.sent;
  }
}

/** Works across several copies of this package. */
export function isConnectionError(error: unknown): error is ConnectionError {
  return hasErrorCode(error, 'CONNECTION_FAILED') && 'sent' in error;
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the server closed the connection',
  EPIPE: 'the server closed the connection',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name cannot be resolved right now',
};

/** A network failure as reported to callers: system errors contain addresses, so they stay in `cause`. */
export function toConnectionError(error: unknown, sent = false): ConnectionError {
  if (isConnectionError(error)) return error;
  return new ConnectionError(reasonOf(error), { sent, cause: error });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed';
  if (isTimeout(error) || isTimeout(error.cause)) return 'the request timed out';
  const code = errorCode(error) ?? '';
  // What TLS says about an answer in plain HTTP. Its codes differ between versions of Node.
  if (/wrong version number|packet length too long/.test(error.message)) {
    return 'the server does not speak TLS on this port; use http instead of https in its URL';
  }
  const known = REASONS[code];
  if (known !== undefined) return known;
  return /CERT|TLS|SSL|ALTNAME|LEAF_SIGNATURE/.test(code)
    ? `the TLS handshake failed (${code})`
    : 'the connection failed';
}

/** Node reports an aborted request with its own error, whose cause is the signal's reason. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}
