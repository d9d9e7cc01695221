/** The connection ended before the response did: the server was killed, or the client cut it. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

const CODES: ReadonlySet<unknown> = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE']);

/** Converts the errors of node:http for lost connections to ConnectionLost; returns other errors unchanged. */
export function connectionLost(error: unknown): unknown {
  if (error instanceof Error && 'code' in error && CODES.has(error.code)) {
    return new ConnectionLost(error.message, { cause: error });
  }
  return error;
}
