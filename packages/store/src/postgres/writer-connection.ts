import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import type { ConnectionSettings } from './connection-settings.ts';
import { failureKind, pauseBeforeRetry } from './postgres-error.ts';
import { PersistentConnection, type ConnectionEvents } from './persistent-connection.ts';
import type { GroupOutcomes, Write } from './write.ts';

export interface Group {
  readonly writes: readonly Write[];
  /** Its callers have given up: if it is not committed yet, it must not be. */
  readonly isAbandoned: boolean;
}

/**
 * A connection that commits groups, one at a time. Responsible for applying each group exactly once: groups are numbered, and
 * a group is resent with its number until its outcome is known, even if the connection is lost meanwhile.
 */
export class WriterConnection {
  /** The ID under which the database remembers the last group. */
  readonly writer = randomUUID();
  readonly #connection: PersistentConnection;
  #number = 0;

  constructor(settings: ConnectionSettings, events: ConnectionEvents) {
    this.#connection = new PersistentConnection({
      ...events,
      settings,
      prepare: (client) => this.#prepare(client, settings),
    });
  }

  /** Rejects if nothing was committed and resending would not help, or if the connection is closed. */
  async apply(group: Group): Promise<{ number: number; outcomes: GroupOutcomes }> {
    this.#number += 1;
    const number = this.#number;
    for (let failures = 0; ; failures += 1) {
      const client = await this.#connection.client();
      try {
        return { number, outcomes: await send(client, this.writer, number, group) };
      } catch (error) {
        const kind = failureKind(error);
        if (kind === 'lost') this.#connection.drop(client, error);
        else if (kind !== 'retry') throw error;
        await pauseBeforeRetry(failures);
      }
    }
  }

  /** Why it cannot connect at the moment. */
  get failure(): unknown {
    return this.#connection.failure;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  /** Query plans are made while tables are small and kept when they have grown, so they must use the indexes from the start. */
  async #prepare(client: Client, { schema, timeoutMilliseconds }: ConnectionSettings): Promise<void> {
    await client.query(`
      SET search_path = ${schema.quoted};
      SET statement_timeout = ${timeoutMilliseconds};
      SET enable_seqscan = off;
      SET enable_hashjoin = off;
      SET enable_mergejoin = off;
      SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`);
    await client.query(
      'INSERT INTO writers (id, seen_at) VALUES ($1, now_milliseconds()) ON CONFLICT DO NOTHING',
      [this.writer],
    );
  }
}

async function send(client: Client, writer: string, number: number, group: Group): Promise<GroupOutcomes> {
  const writes = JSON.stringify(group.isAbandoned ? [] : group.writes);
  const { rows } = await client.query<{ outcomes: GroupOutcomes }>({
    name: 'apply-group',
    text: 'SELECT apply_group($1, $2, $3) AS outcomes',
    values: [writer, number, writes],
  });
  return rows[0]?.outcomes ?? {};
}
