/**
 * Groups are written table by table instead of task by task. The functions that used the old result type are dropped with
 * it; the functions of this version are created after the migrations.
 */
export const sets = `
  DROP TYPE write_result CASCADE;
  CREATE TYPE task_change AS (
    id text,
    owner text,
    left_state smallint,
    state smallint
  );
`;
