export { parseAllowList } from './allow-list.ts';
export { ForbiddenUrlError, isForbiddenUrlError } from './forbidden-url-error.ts';
export {
  createGuardedClient,
  type GuardedClient,
  type GuardedClientOptions,
  type GuardedRequest,
  type GuardedResponse,
} from './guarded-client.ts';
export type { HostAddress, ResolveHost } from './resolve-host.ts';
