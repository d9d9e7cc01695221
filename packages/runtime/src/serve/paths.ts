/** Where a handler answers, below its base path. */
export const CARD_PATH = '/.well-known/agent-card.json';
/** The public keys that verify notifications. */
export const KEY_SET_PATH = '/.well-known/jwks.json';
export const LEGACY_CARD_PATH = '/.well-known/agent.json';
export const JSON_RPC_PATH = '/a2a/jsonrpc';
export const REST_PATH = '/a2a/rest';
