import { administerPostgres, administerSqlite, type Administration } from '@holdword/store';
import type { CommandInput } from '../arguments/command.ts';
import { resolveConfig } from '../config/resolve-config.ts';
import { withLocationInErrors } from '../serving/open-store.ts';
import { describeLocation, storeLocation, type StoreLocation } from '../serving/store-location.ts';
import { CommandError, UsageError } from '../usage-error.ts';

/** Opens the database of the servers for an operator, even while they are running. */
export async function withAdministration<Result>(
  input: CommandInput,
  use: (administration: Administration, location: StoreLocation) => Promise<Result>,
): Promise<Result> {
  const location = storeLocation(await resolveConfig(input), input.workingFolder);
  if (location.kind === 'memory' || location.kind === 'json-file') {
    throw new UsageError(
      `holdword db works with SQLite and PostgreSQL only; the configured store is ${location.kind}.` +
        (location.kind === 'json-file' ? ' A server checks the files whenever it starts.' : ''),
    );
  }
  return withLocationInErrors(location, async () => {
    const administration =
      location.kind === 'postgres'
        ? await administerPostgres({ url: location.url, schema: location.schema })
        : await administerSqlite(location.folder);
    try {
      return await use(administration, location);
    } finally {
      await administration.close();
    }
  });
}

/** Rejects tables of another version, which this version cannot read. */
export async function requireCurrentVersion(
  administration: Administration,
  location: StoreLocation,
): Promise<number> {
  const { found, current } = await administration.version();
  if (found === current) return current;
  throw new CommandError(
    found === 0
      ? `There is no data in ${describeLocation(location)} yet. Start a server, or create the tables with: holdword db migrate`
      : `The tables are at version ${found}; this holdword needs version ${current}. Migrate them with: holdword db migrate`,
  );
}
