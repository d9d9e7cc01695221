/** Where a handler answers, below its base path. */
export const CARD_PATH = '/.well-known/agent-card.json';
export const LEGACY_CARD_PATH = '/.well-known/agent.json';
export const JSON_RPC_PATH = '/a2a/jsonrpc';
export const REST_PATH = '/a2a/rest';
