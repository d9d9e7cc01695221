import type { Authentication, Caller } from '@holdword/runtime';

const CALLERS: Readonly<Record<string, Caller>> = {
  operator: { id: 'key:operator', authenticated: true, role: 'operator' },
  ops: { id: 'key:ops', authenticated: true },
  customer: { id: 'key:customer', authenticated: true, role: 'caller' },
};

/** Three API keys for tests: of an operator and of two callers. */
export const KEYS: Authentication = {
  authenticate: ({ 'x-api-key': key }) => Promise.resolve(CALLERS[String(key)]),
  securitySchemes: { apiKey: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } } },
  challenge: 'Bearer',
};
export const OPERATOR = { 'x-api-key': 'operator' };
export const OPS = { 'x-api-key': 'ops' };
export const CUSTOMER = { 'x-api-key': 'customer' };
