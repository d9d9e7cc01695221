/** Indexes for retention: ended tasks by time, trimmed or not, and the idempotency keys of a task. */
export const retention = `
  ALTER TABLE tasks ADD COLUMN trimmed INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX tasks_ended ON tasks (trimmed, status_time) WHERE state IN (3, 4, 5, 7);
  CREATE INDEX idempotency_by_task ON idempotency (task_id);
`;
