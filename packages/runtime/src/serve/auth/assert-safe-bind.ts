import { isLoopback } from '@parley/net';
import type { Authentication } from './authentication.ts';

/** Refuses to open an agent to a network whose callers nobody checks. */
export function assertSafeBind(host: string, authentication: Authentication): void {
  if (isLoopback(host) || Object.keys(authentication.securitySchemes).length > 0) return;
  throw new Error(
    `Refused to listen on ${host} without authentication: everybody on that network could use this agent. ` +
      'Create an API key with "parley keys add NAME" and turn authentication on, or listen on 127.0.0.1.',
  );
}
