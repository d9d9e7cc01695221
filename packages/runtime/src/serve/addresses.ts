import type { IncomingMessage } from 'node:http';
import { hostname } from 'node:os';

/** Where a handler answers, below its base path. */
export const CARD_PATH = '/.well-known/agent-card.json';
/** What the server offers, for registries. */
export const CATALOG_PATH = '/.well-known/ai-catalog.json';
/** The public keys that verify push notifications. */
export const KEY_SET_PATH = '/.well-known/jwks.json';
export const LEGACY_CARD_PATH = '/.well-known/agent.json';
export const JSON_RPC_PATH = '/a2a/jsonrpc';
export const REST_PATH = '/a2a/rest';

/** The paths of one handler. What has no path is not served. */
export interface HandlerPaths {
  readonly card: string;
  readonly legacyCard?: string;
  readonly jsonRpc: string;
  /**
   * JSON-RPC for 1.0 clients that send no version header. The method names of 0.3 are also accepted here, for the same
   * methods.
   */
  readonly unversionedJsonRpc?: string;
  readonly rest?: string;
  readonly pushKeys?: string;
  readonly catalog?: string;
}

export const DEFAULT_PATHS: HandlerPaths = {
  card: CARD_PATH,
  legacyCard: LEGACY_CARD_PATH,
  jsonRpc: JSON_RPC_PATH,
  rest: REST_PATH,
  pushKeys: KEY_SET_PATH,
  catalog: CATALOG_PATH,
};

/** A host and port as written in a URL: IPv6 addresses get brackets. */
export function hostAndPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The name by which others reach a server that listens on `host`. For all addresses, that is the machine's name. */
export function reachableHost(host: string): string {
  return isWildcard(host) ? hostname() : host;
}

/** Whether a server that listens on `host` is reached by all addresses of its machine. */
export function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** The origin by which a client reached this server, as far as it is known here. */
export function requestOrigin(request: IncomingMessage): string {
  const scheme = 'encrypted' in request.socket && request.socket.encrypted === true ? 'https' : 'http';
  const url = `${scheme}://${request.headers.host ?? 'localhost'}`;
  return URL.canParse(url) ? new URL(url).origin : `${scheme}://localhost`;
}
