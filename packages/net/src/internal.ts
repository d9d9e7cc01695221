/** For Holdword's own packages, not covered by semver: this package has no public API. */
export { isAllowEntry, parseAllowList } from './allow-list.ts';
export { ConnectionError, isConnectionError, toConnectionError } from './connection-error.ts';
export { ForbiddenUrlError, isForbiddenUrlError, isLocalAddress } from './forbidden-urls.ts';
export {
  createGuardedClient,
  type GuardedClient,
  type GuardedResponse,
  type TlsSettings,
} from './guarded-client.ts';
export { isLoopback } from './addresses.ts';
export { listenError } from './listen-error.ts';
export type { OpenedResponse } from './open-response.ts';
export { readAtMost } from './open-response.ts';
export { readServerSentEvents, type ServerSentEvent } from './read-server-sent-events.ts';
export type { HostAddress, ResolveHost } from './resolve-host.ts';
