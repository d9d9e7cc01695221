import type { ResolveHost } from '@holdword/net/internal';
import type { JWK } from 'jose';

export interface PushOptions {
  /** Ranges (`10.0.0.0/8`), addresses and host names that may be called although they are not on the public internet. */
  allowPrivate?: readonly string[];
  /** Requests at once, to all receivers together. */
  concurrency?: number;
  /** How long one request may take. */
  timeoutMilliseconds?: number;
  /** The longest pause between two attempts, unless the receiver asks for a longer one. */
  longestPauseMilliseconds?: number;
  /** How long an event is tried before its target is given up. */
  deadLetterMilliseconds?: number;
  /** The private key that signs notifications; one is made and kept in the store unless given. */
  signingKey?: JWK;
  /** The system's resolver unless given. */
  resolve?: ResolveHost;
}

export const DEFAULT_PUSH_OPTIONS = {
  concurrency: 64,
  timeoutMilliseconds: 10_000,
  longestPauseMilliseconds: 5 * 60_000,
  deadLetterMilliseconds: 24 * 3_600_000,
} as const satisfies PushOptions;
