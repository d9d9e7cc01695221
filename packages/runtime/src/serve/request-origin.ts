import type { IncomingMessage } from 'node:http';

/** The origin by which a client reached this server, as far as it is known here. */
export function requestOrigin(request: IncomingMessage): string {
  const scheme = 'encrypted' in request.socket && request.socket.encrypted === true ? 'https' : 'http';
  const url = `${scheme}://${request.headers.host ?? 'localhost'}`;
  return URL.canParse(url) ? new URL(url).origin : `${scheme}://localhost`;
}
