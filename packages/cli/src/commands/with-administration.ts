import { administerPostgres, administerSqlite, type Administration } from '@holdword/store';
import type { CommandInput } from '../arguments/command.ts';
import { resolveConfig } from '../config/resolve-config.ts';
import { explained } from '../serving/open-store.ts';
import { storeLocation, type StoreLocation } from '../serving/store-location.ts';
import { CommandError, UsageError } from '../usage-error.ts';

/** The database that servers use, opened beside them for an operator. */
export async function withAdministration<Result>(
  input: CommandInput,
  use: (administration: Administration, location: StoreLocation) => Promise<Result>,
): Promise<Result> {
  const location = storeLocation(await resolveConfig(input), input.workingFolder);
  if (location.kind === 'memory' || location.kind === 'json-file') {
    throw new UsageError(
      `holdword db is for databases, sqlite and postgres; this data is kept as ${location.kind}. ` +
        'Files are checked whenever a server starts on them.',
    );
  }
  return explained(location, async () => {
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

/** Tables of another version are not looked into. */
export async function requireCurrentVersion(administration: Administration): Promise<number> {
  const { found, current } = await administration.version();
  if (found === current) return current;
  throw new CommandError(
    found === 0
      ? 'There is no data yet. A server makes the tables when it starts, and so does: holdword db migrate'
      : `The tables have version ${found}, this holdword works with version ${current}. Bring them up: holdword db migrate`,
  );
}
