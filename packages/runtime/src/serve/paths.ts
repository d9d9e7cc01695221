import type { IncomingMessage } from 'node:http';

/** Where a handler answers, below its base path. */
export const CARD_PATH = '/.well-known/agent-card.json';
/** The public keys that verify notifications. */
export const KEY_SET_PATH = '/.well-known/jwks.json';
export const LEGACY_CARD_PATH = '/.well-known/agent.json';
export const JSON_RPC_PATH = '/a2a/jsonrpc';
export const REST_PATH = '/a2a/rest';

/** The paths of one handler. What has none is not served. */
export interface HandlerPaths {
  readonly card: string;
  readonly legacyCard?: string;
  readonly jsonRpc: string;
  /** JSON-RPC for clients that speak 1.0 without saying so; the names of 0.3 are names of the same methods there. */
  readonly unversionedJsonRpc?: string;
  readonly rest?: string;
  readonly pushKeys?: string;
}

export const DEFAULT_PATHS: HandlerPaths = {
  card: CARD_PATH,
  legacyCard: LEGACY_CARD_PATH,
  jsonRpc: JSON_RPC_PATH,
  rest: REST_PATH,
  pushKeys: KEY_SET_PATH,
};

/** The path that a client asked for, with whatever it is mounted below. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  const queryStart = url.indexOf('?');
  return queryStart === -1 ? url : url.slice(0, queryStart);
}
