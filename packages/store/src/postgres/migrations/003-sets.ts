/**
 * Groups are written table by table instead of task by task. The functions that worked on results go with their type; those
 * of this version are made after the migrations.
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
