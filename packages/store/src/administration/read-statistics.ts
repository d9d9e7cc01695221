import { integer, text } from '../columns.ts';
import { codeToState } from '../state-codes.ts';
import type { StoreStatus } from './administration.ts';
import type { Dialect, Select } from './dialect.ts';

/** Everything that is counted the same way in both databases. */
export async function readStatistics(
  select: Select,
  { journal, now }: Dialect,
): Promise<Omit<StoreStatus, 'sizes'>> {
  const tasks = await select('SELECT state, count(*) AS number FROM tasks GROUP BY state ORDER BY state');
  const [events = {}] = await select(`
    SELECT CAST(coalesce(sum(last_sequence - first_sequence + 1), 0) AS bigint) AS number FROM (${journal}) AS every`);
  const processes = await select(`
    SELECT holders.id, (holders.expires_at - ${now}) / 1000 AS seconds, count(tasks.id) AS held
    FROM holders LEFT JOIN tasks ON tasks.holder = holders.id
    GROUP BY holders.id, holders.expires_at ORDER BY holders.expires_at DESC, holders.id`);
  return {
    tasks: tasks.map((row) => ({ state: codeToState(integer(row, 'state')), count: integer(row, 'number') })),
    events: integer(events, 'number'),
    processes: processes.map((row) => ({
      id: text(row, 'id'),
      secondsLeft: Math.round(integer(row, 'seconds')),
      heldTasks: integer(row, 'held'),
    })),
  };
}
