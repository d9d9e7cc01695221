import type { DatabaseSync } from 'node:sqlite';

/** Collects the changes to the task counts per owner and state within a transaction, and writes the sums once. */
export interface TaskCounts {
  add(owner: string, state: number, change: number): void;
  write(): void;
  discard(): void;
}

export function prepareTaskCounts(database: DatabaseSync): TaskCounts {
  const statement = database.prepare(
    'INSERT INTO counts (owner, state, n) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n',
  );
  const changes = new Map<string, Map<number, number>>();
  return {
    add(owner, state, change) {
      let ofOwner = changes.get(owner);
      if (ofOwner === undefined) changes.set(owner, (ofOwner = new Map<number, number>()));
      ofOwner.set(state, (ofOwner.get(state) ?? 0) + change);
    },
    write() {
      for (const [owner, ofOwner] of changes) {
        for (const [state, change] of ofOwner) if (change !== 0) statement.run(owner, state, change);
      }
      changes.clear();
    },
    discard() {
      changes.clear();
    },
  };
}
