import type { ResolveHost } from '@holdword/net/internal';
import type { JWK } from 'jose';

/** How push notifications are delivered. */
export interface PushOptions {
  /**
   * Ranges (`10.0.0.0/8`), addresses and host names that may be called although they are not on the public internet.
   */
  allowPrivate?: readonly string[];
  /**
   * Concurrent requests to all receivers.
   * @default 64
   */
  concurrency?: number;
  /**
   * The timeout of one request.
   * @default 10000
   */
  timeoutMilliseconds?: number;
  /**
   * The longest pause between two attempts, unless the receiver asks for a longer one.
   * @default 300000 (5 minutes)
   */
  longestPauseMilliseconds?: number;
  /**
   * How long an event is retried before its target is abandoned.
   * @default 86400000 (24 hours)
   */
  deadLetterMilliseconds?: number;
  /** The private key that signs push notifications. By default, one is created and kept in the store. */
  signingKey?: JWK;
  /**
   * Resolves host names.
   * @default the resolver of the system
   */
  resolve?: ResolveHost;
}

export const DEFAULT_PUSH_OPTIONS = {
  concurrency: 64,
  timeoutMilliseconds: 10_000,
  longestPauseMilliseconds: 5 * 60_000,
  deadLetterMilliseconds: 24 * 3_600_000,
} as const satisfies PushOptions;
