/** Every process has a unique name, so holders that expired long ago are deleted: nobody uses their names again. */
export const heartbeat = `
  CREATE OR REPLACE FUNCTION heartbeat(write write_request) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO holders (id, expires_at) VALUES (write.holder, now_milliseconds() + write.ttl)
    ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at;
    DELETE FROM holders WHERE expires_at < now_milliseconds() - 86400000;
  END $$;
`;
