/** The clock of the database, the only one that leases use, whatever the clocks of the replicas say. */
export const nowMilliseconds = `
  CREATE OR REPLACE FUNCTION now_milliseconds() RETURNS bigint LANGUAGE sql AS $$
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint
  $$;
`;
