/**
 * Adds the changes of a group to the task counts per owner and state. It runs last in a group and in a fixed order, so that
 * replicas that count the same owner wait only briefly and cannot deadlock.
 */
export const addCounts = `
  CREATE OR REPLACE FUNCTION add_counts(writer uuid, changes task_change[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO counts AS present (owner, state, shard, n)
    SELECT moves.owner, moves.state, hashtext(writer::text) & 15, sum(moves.change) FROM (
      SELECT owner, left_state, -1 FROM unnest(changes) WHERE left_state IS NOT NULL
      UNION ALL
      SELECT owner, state, 1 FROM unnest(changes) WHERE state IS NOT NULL
    ) AS moves (owner, state, change)
    GROUP BY moves.owner, moves.state HAVING sum(moves.change) <> 0 ORDER BY moves.owner, moves.state
    ON CONFLICT (owner, state, shard) DO UPDATE SET n = present.n + excluded.n;
  END $$;
`;
