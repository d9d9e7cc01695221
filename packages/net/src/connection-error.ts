/** A call that got no answer. Its message is a clause that says what happened, without naming where to. */
export class ConnectionError extends Error {
  readonly code = 'CONNECTION_FAILED';
  /** Whether a connection was made, so that the request may have arrived. */
  readonly sent: boolean;

  constructor(message: string, options: { sent: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ConnectionError';
    this.sent = options.sent;
  }
}

/** Recognises it also when it comes from another copy of this package. */
export function isConnectionError(error: unknown): error is ConnectionError {
  return error instanceof Error && 'code' in error && error.code === 'CONNECTION_FAILED' && 'sent' in error;
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed by the other side',
  EPIPE: 'the connection was closed by the other side',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name cannot be resolved at the moment',
};

/** What a failure of the network is to a caller: system errors name addresses, so they stay behind as the cause. */
export function toConnectionError(error: unknown, sent = false): ConnectionError {
  if (isConnectionError(error)) return error;
  return new ConnectionError(reasonOf(error), { sent, cause: error });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed';
  if (isTimeout(error) || isTimeout(error.cause)) return 'the time was up before an answer came';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = REASONS[code];
  if (known !== undefined) return known;
  return /CERT|TLS|SSL|ALTNAME|LEAF_SIGNATURE/.test(code)
    ? `the certificate or the TLS of the host was refused (${code})`
    : 'the connection failed';
}

/** Node reports an aborted request by an error of its own, with the signal's reason behind it. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}
