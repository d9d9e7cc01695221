/** The connection ended before the answer did: the server was killed, or the client cut it. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

const CODES: ReadonlySet<unknown> = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE']);

/** Turns what node:http reports of a connection that broke into one kind of error; leaves others as they are. */
export function connectionLost(error: unknown): unknown {
  if (error instanceof Error && 'code' in error && CODES.has(error.code)) {
    return new ConnectionLost(error.message, { cause: error });
  }
  return error;
}
