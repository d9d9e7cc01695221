import { describeAdministration } from '../testing/suites/describe-administration.ts';
import { usePostgres } from '../testing/postgres/use-postgres.ts';
import { administerPostgres } from './administer-database.ts';
import { openPostgresStore } from './open-postgres-store.ts';
import { toSchemaName } from './connection-settings.ts';

const postgres = usePostgres();

describeAdministration('postgres', () => {
  const { url, newSchema, query } = postgres();
  const schema = newSchema();
  return Promise.resolve({
    open: () => openPostgresStore({ url, schema }),
    administer: () => administerPostgres({ url, schema }),
    execute: async (sql) => {
      await query(`SET search_path = ${toSchemaName(schema).quoted}; ${sql}`);
    },
    rowsOf: (taskId, last) =>
      `(task = (SELECT key FROM tasks WHERE id = '${taskId}') AND last_sequence = ${last})`,
  });
});
