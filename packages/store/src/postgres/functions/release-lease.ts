export const releaseLease = `
  CREATE OR REPLACE FUNCTION release_lease(write write_request) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE tasks SET holder = NULL WHERE id = write.task_id AND fence = write.fence;
  END $$;
`;
