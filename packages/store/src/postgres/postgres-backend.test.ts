import { describeStore } from '../testing/describe-store.ts';
import { usePostgres } from '../testing/postgres/use-postgres.ts';
import { openPostgresStore } from './open-postgres-store.ts';

const postgres = usePostgres();

describeStore('postgres', async () => {
  const { url, newSchema } = postgres();
  const options = { url, schema: newSchema() };
  return { store: await openPostgresStore(options), reopen: () => openPostgresStore(options) };
});
