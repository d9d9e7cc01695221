export { addKey, listKeys, revokeKey, rotateKey, type ApiKey, type IssuedApiKey } from './auth/api-keys.ts';
export { anyOf } from './auth/any-of.ts';
export { apiKeyAuthentication } from './auth/api-key-authentication.ts';
export { assertSafeBind } from './auth/assert-safe-bind.ts';
export {
  bearerToken,
  headerValue,
  unauthenticated,
  type Authentication,
  type Caller,
  type RequestHeaders,
} from './auth/authentication.ts';
export { jwtAuthentication, type JwtOptions } from './auth/jwt-authentication.ts';
export { noAuthentication } from './auth/no-authentication.ts';
export { hashSecret, isSecretOf, newSecret } from './auth/secrets.ts';
export { RateLimiter, type Allowance } from '../limits/rate-limiter.ts';
export type { ExtendedCardSource } from './extended-card.ts';
export {
  createHttpHandler,
  type FallbackHandler,
  type HttpHandler,
  type HttpHandlerOptions,
} from './http-handler.ts';
export { createJsonRpcResponder, type JsonRpcResponder } from './json-rpc-endpoint.ts';
export type { Limits } from './limits.ts';
export type { HandlerPaths } from './paths.ts';
export { readBody } from './read-body.ts';
export { requireJson } from './require-json.ts';
export { JSON_TYPE, sendAndClose, sendJson } from './respond.ts';
export { serveAgent, type ServedAgent, type ServeOptions } from './serve-agent.ts';
export { buildServedCard, type CardOptions } from './served-card.ts';
