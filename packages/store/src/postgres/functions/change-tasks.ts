/** Brings the tasks of accepted appends up to date. */
export const changeTasks = `
  CREATE OR REPLACE FUNCTION change_tasks(results write_result[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE tasks SET
      last_sequence = (result.write).last_sequence,
      status_sequence = greatest(tasks.status_sequence, (result.write).status_sequence),
      state = coalesce((result.write).state, tasks.state),
      status_time = coalesce((result.write).status_time, tasks.status_time),
      status = coalesce((result.write).status, tasks.status),
      holder = CASE WHEN (result.write).releases THEN NULL ELSE tasks.holder END
    FROM unnest(results) AS result
    WHERE (result.write).kind = 'append' AND tasks.id = (result.write).task_id;
  END $$;
`;
