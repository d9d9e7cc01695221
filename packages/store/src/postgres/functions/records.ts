export const putRecord = `
  CREATE OR REPLACE FUNCTION put_record(write write_request) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO records (namespace, key, value) VALUES (write.namespace, write.key, write.value)
    ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value;
  END $$;
`;

/** Returns whether the record had the expected value and was replaced. */
export const replaceRecord = `
  CREATE OR REPLACE FUNCTION replace_record(write write_request) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    IF write.expected IS NULL THEN
      INSERT INTO records (namespace, key, value) VALUES (write.namespace, write.key, write.value)
      ON CONFLICT DO NOTHING;
    ELSE
      UPDATE records SET value = write.value
      WHERE namespace = write.namespace AND key = write.key AND value = write.expected;
    END IF;
    RETURN CASE WHEN FOUND THEN 'true' END::jsonb;
  END $$;
`;

/** Returns whether there was such a record, with the expected value if one is given. */
export const deleteRecord = `
  CREATE OR REPLACE FUNCTION delete_record(write write_request) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM records
    WHERE namespace = write.namespace AND key = write.key
      AND (write.expected IS NULL OR value = write.expected);
    RETURN CASE WHEN FOUND THEN 'true' END::jsonb;
  END $$;
`;
