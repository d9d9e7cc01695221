import { isLoopback } from '@holdword/net/internal';
import type { Authentication } from './authentication.ts';

/**
 * Refuses to expose an agent to a network without authentication. `advice` completes the sentence that says what to do.
 */
export function assertSafeBind(
  host: string,
  authentication: Authentication,
  advice = 'serve it with authentication.',
): void {
  if (isLoopback(host) || Object.keys(authentication.securitySchemes).length > 0) return;
  throw new Error(
    `Refusing to listen on ${host} without authentication: everyone on that network could use this agent. ` +
      `Listen on 127.0.0.1, or ${advice}`,
  );
}
