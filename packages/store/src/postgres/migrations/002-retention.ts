/** Indexes for retention: ended tasks by time, trimmed or not, and the idempotency keys of a task. */
export const retention = `
  ALTER TABLE tasks ADD COLUMN trimmed boolean NOT NULL DEFAULT false;
  CREATE INDEX tasks_ended ON tasks (trimmed, status_time, key) WHERE state IN (3, 4, 5, 7);
  CREATE INDEX idempotency_by_task ON idempotency (task_id);
`;
