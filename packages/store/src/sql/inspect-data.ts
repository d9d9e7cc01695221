import type { CheckResult, Finding, StoreStatus } from '../administration.ts';
import { codeToState, integer, type Row, RUNNING, storedText } from './rows.ts';

/** Where the two SQL dialects differ. */
export interface Dialect {
  /** The rows of all journals, with `task`, `first_sequence`, `last_sequence` and `lines`. */
  readonly journal: string;
  /** A line break as an expression. */
  readonly newline: string;
  /** The current time in milliseconds since the epoch. */
  readonly now: string;
}

/** Runs a statement and returns its rows. */
export type Select = (sql: string) => Promise<readonly Row[]>;

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
      id: storedText(row, 'id'),
      secondsLeft: Math.round(integer(row, 'seconds')),
      heldTasks: integer(row, 'held'),
    })),
  };
}

const SUBJECTS = 100;

/** Looks for violated invariants. All statements must see the same snapshot of the data. */
export async function checkData(select: Select, dialect: Dialect): Promise<CheckResult> {
  return {
    damage: await find(select, damageStatements(dialect)),
    notices: await find(select, noticeStatements(dialect)),
  };
}

async function find(select: Select, statements: Readonly<Record<string, string>>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [what, statement] of Object.entries(statements)) {
    const rows = await select(`${statement} LIMIT ${SUBJECTS}`);
    if (rows.length > 0) findings.push({ what, subjects: rows.map((row) => storedText(row, 'subject')) });
  }
  return findings;
}

function damageStatements({ journal, newline }: Dialect): Record<string, string> {
  const ends = `(SELECT task, max(last_sequence) AS last_sequence FROM (${journal}) AS every GROUP BY task)`;
  return {
    'events are missing or duplicated': `
      SELECT DISTINCT tasks.id AS subject FROM tasks JOIN (
        SELECT task, first_sequence, last_sequence,
          length(lines) - length(replace(lines, ${newline}, '')) AS breaks,
          lag(last_sequence) OVER (PARTITION BY task ORDER BY last_sequence) AS sequence_before
        FROM (${journal}) AS every
      ) AS present ON present.task = tasks.key
      WHERE present.last_sequence - present.first_sequence <> present.breaks
        OR present.first_sequence <> present.sequence_before + 1
        OR (present.sequence_before IS NULL AND present.first_sequence <> 1 AND NOT tasks.trimmed)`,
    'a task has no events': `
      SELECT tasks.id AS subject FROM tasks LEFT JOIN ${ends} AS present ON present.task = tasks.key
      WHERE present.task IS NULL`,
    'events do not belong to any task': `
      SELECT CAST(present.task AS text) AS subject FROM ${ends} AS present
      LEFT JOIN tasks ON tasks.key = present.task WHERE tasks.key IS NULL`,
    'a snapshot is ahead of its events': `
      SELECT tasks.id AS subject FROM snapshots JOIN tasks ON tasks.key = snapshots.task
      JOIN ${ends} AS present ON present.task = tasks.key WHERE snapshots.sequence > present.last_sequence`,
    'the task counts of an owner are wrong': `
      SELECT DISTINCT coalesce(counted.owner, present.owner) AS subject
      FROM (SELECT owner, state, sum(n) AS number FROM counts GROUP BY owner, state) AS counted
      FULL JOIN (SELECT owner, state, count(*) AS number FROM tasks GROUP BY owner, state) AS present
        ON counted.owner = present.owner AND counted.state = present.state
      WHERE coalesce(counted.number, 0) <> coalesce(present.number, 0)`,
    'the stored bytes of an owner are wrong': `
      SELECT coalesce(counted.owner, present.owner) AS subject
      FROM (SELECT owner, sum(bytes) AS bytes FROM counts GROUP BY owner) AS counted
      FULL JOIN (
        SELECT owner, sum(size) AS bytes FROM (
          SELECT owner, octet_length(lines) AS size FROM (${journal}) AS every JOIN tasks ON tasks.key = every.task
          UNION ALL
          SELECT owner, octet_length(json) AS size FROM snapshots JOIN tasks ON tasks.key = snapshots.task
        ) AS stored GROUP BY owner
      ) AS present ON counted.owner = present.owner
      WHERE coalesce(counted.bytes, 0) <> coalesce(present.bytes, 0)`,
  };
}

function noticeStatements({ now }: Dialect): Record<string, string> {
  return {
    'orphaned tasks (their process is gone); a running server recovers them within its lease time': `
      SELECT tasks.id AS subject FROM tasks LEFT JOIN holders ON holders.id = tasks.holder
      WHERE tasks.${RUNNING} AND (holders.id IS NULL OR holders.expires_at <= ${now})`,
  };
}
