import type { Caller } from '@holdword/runtime';
import type { AuthConfig } from '../config/account-config.ts';
import { callerIdOf } from './peer-names.ts';

/** A peer as the HTTP server identifies it. */
export function peerCaller(peers: AuthConfig['peers'], name: string): Caller {
  const requestsPerMinute = peers[name]?.requestsPerMinute;
  return {
    id: callerIdOf(name),
    authenticated: true,
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
  };
}
