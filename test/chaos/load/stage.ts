import type { Ledger } from '../ledger.ts';
import type { Random } from '../random.ts';
import type { RestartingServer } from '../server/restarting-server.ts';
import { BINDINGS, Client } from '../wire/client.ts';
import { ConnectionLost } from '../wire/connection-lost.ts';

/** What an actor plays on. */
export interface Stage {
  readonly server: RestartingServer;
  readonly ledger: Ledger;
  readonly random: Random;
  /** Fires when the load is over. */
  readonly signal: AbortSignal;
  /** A name that no other intent has. */
  nextLabel(): string;
}

/** Something users do. A ConnectionLost out of it is part of the play; any other error is the server's fault. */
export type Scene = (stage: Stage) => Promise<void>;

/** A client of the server that runs, on either binding; waits while there is none. */
export async function nextClient(stage: Pick<Stage, 'server' | 'random' | 'signal'>): Promise<Client> {
  const binding = stage.random.pick(BINDINGS);
  return new Client(await stage.server.admitted(stage.signal), binding);
}

/** Calls again after each lost connection, as a client with an idempotency key may. */
export async function untilAnswered<T>(
  stage: Pick<Stage, 'server' | 'random' | 'signal'>,
  call: (client: Client) => Promise<T>,
): Promise<T> {
  for (;;) {
    const client = await nextClient(stage);
    try {
      return await call(client);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
    }
  }
}
