import type { Ledger } from '../ledger.ts';
import type { Random } from '../random.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { WireError } from '../../support/drivers/wire-error.ts';
import type { Binding } from '../wire/binding.ts';
import { BINDINGS, Client } from '../wire/client.ts';
import { ConnectionLost } from '../wire/connection-lost.ts';

/** A temporarily unavailable server responds immediately, so wait before retrying. */
const RETRY_MILLISECONDS = 50;

/** Tells clients when and where they may connect. */
export interface Gate {
  /** Resolves with the address once clients are admitted; rejects with the signal's reason. */
  admitted(signal: AbortSignal): Promise<string>;
}

/** What a user of the load works with. */
export interface LoadContext {
  readonly server: Gate;
  readonly ledger: Ledger;
  readonly random: Random;
  /** Servers share a database: one may interrupt the tasks of another, and the database may be down for moments. */
  readonly isShared?: boolean;
  /**
   * The bindings that clients use.
   *
   * @default all bindings
   */
  readonly bindings?: readonly Binding[];
  /** Aborted when the load stops. */
  readonly signal: AbortSignal;
  /** Returns a unique name for a request. */
  nextLabel(): string;
}

/** Something users do. A transient error is expected; any other error is a bug in the server. */
export type Scenario = (context: LoadContext) => Promise<void>;

/** Whether the client got no response and may retry. */
export function isTransient({ isShared = false }: Pick<LoadContext, 'isShared'>, error: unknown): boolean {
  if (error instanceof ConnectionLost) return true;
  return isShared && error instanceof WireError && error.reason === 'UNAVAILABLE';
}

/** A client of the running server on a random binding; waits while there is none. */
export async function nextClient(
  context: Pick<LoadContext, 'server' | 'random' | 'signal' | 'bindings'>,
): Promise<Client> {
  const binding = context.random.pick(context.bindings ?? BINDINGS);
  return new Client(await context.server.admitted(context.signal), binding);
}

/** Retries after each transient error, as a client with an idempotency key may. */
export async function retryUntilAnswered<T>(
  context: Pick<LoadContext, 'server' | 'random' | 'signal' | 'isShared' | 'bindings'>,
  call: (client: Client) => Promise<T>,
): Promise<T> {
  for (;;) {
    const client = await nextClient(context);
    try {
      return await call(client);
    } catch (error) {
      if (!isTransient(context, error)) throw error;
    }
    if (context.isShared === true) await pause(RETRY_MILLISECONDS);
  }
}
