/** The hub's error codes with their JSON-RPC code and HTTP status. */
export const HUB_ERROR_CODES = {
  'DELX-A2A-1000': { rpc: -32700, http: 400 },
  'DELX-A2A-1001': { rpc: -32600, http: 200 },
  'DELX-A2A-1002': { rpc: -32601, http: 200 },
  'DELX-A2A-1004': { rpc: -32602, http: 200 },
  'DELX-A2A-1005': { rpc: -32602, http: 200 },
  'DELX-A2A-1010': { rpc: -32602, http: 200 },
  'DELX-A2A-1011': { rpc: -32004, http: 200 },
  'DELX-A2A-1012': { rpc: -32010, http: 200 },
  'DELX-A2A-1013': { rpc: -32010, http: 200 },
  'DELX-A2A-1099': { rpc: -32000, http: 200 },
  'DELX-A2A-1401': { rpc: -32001, http: 401 },
  'DELX-A2A-1500': { rpc: -32603, http: 200 },
} as const;
export type HubErrorCode = keyof typeof HUB_ERROR_CODES;
