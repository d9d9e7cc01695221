import type { Ledger } from '../ledger.ts';
import type { Random } from '../random.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { WireError } from '../../support/drivers/wire-error.ts';
import type { Binding } from '../wire/binding.ts';
import { BINDINGS, Client } from '../wire/client.ts';
import { ConnectionLost } from '../wire/connection-lost.ts';

/** A server that refuses for a moment does so at once. */
const AGAIN_MILLISECONDS = 50;

/** Where clients are let in. */
export interface Door {
  /** Where to call, as soon as clients are let in; rejects with the signal's reason. */
  admitted(signal: AbortSignal): Promise<string>;
}

/** What an actor plays on. */
export interface Stage {
  readonly server: Door;
  readonly ledger: Ledger;
  readonly random: Random;
  /** Servers share a database: one ends the tasks of another as interrupted, and the database goes away for moments. */
  readonly isShared?: boolean;
  /** How clients call; in every way that Holdword offers by itself unless given. */
  readonly bindings?: readonly Binding[];
  /** Fires when the load is over. */
  readonly signal: AbortSignal;
  /** A name that no other intent has. */
  nextLabel(): string;
}

/** Something users do. An error out of it that passes is part of the play; any other is the server's fault. */
export type Scene = (stage: Stage) => Promise<void>;

/** Whether the client was told nothing and may try again. */
export function passes({ isShared = false }: Pick<Stage, 'isShared'>, error: unknown): boolean {
  if (error instanceof ConnectionLost) return true;
  return isShared && error instanceof WireError && error.reason === 'UNAVAILABLE';
}

/** A client of the server that runs, on any binding; waits while there is none. */
export async function nextClient(
  stage: Pick<Stage, 'server' | 'random' | 'signal' | 'bindings'>,
): Promise<Client> {
  const binding = stage.random.pick(stage.bindings ?? BINDINGS);
  return new Client(await stage.server.admitted(stage.signal), binding);
}

/** Calls again after each failure that passes, as a client with an idempotency key may. */
export async function untilAnswered<T>(
  stage: Pick<Stage, 'server' | 'random' | 'signal' | 'isShared' | 'bindings'>,
  call: (client: Client) => Promise<T>,
): Promise<T> {
  for (;;) {
    const client = await nextClient(stage);
    try {
      return await call(client);
    } catch (error) {
      if (!passes(stage, error)) throw error;
    }
    if (stage.isShared === true) await pause(AGAIN_MILLISECONDS);
  }
}
