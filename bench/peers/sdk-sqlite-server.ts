import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { DatabaseTaskStore } from '@a2a-js/sdk/server/database';
import { Kysely, SqliteDialect } from 'kysely';
import { kyselyDatabase } from './kysely-database.ts';
import { serveSdk } from './sdk-server.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('Expected the folder of the database as argument.');

const database = new DatabaseSync(join(folder, 'tasks.db'));
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
database.exec(sdkSchema());
const kysely = new Kysely({ dialect: new SqliteDialect({ database: kyselyDatabase(database) }) });
await serveSdk(new DatabaseTaskStore(kysely));

/** The tables as the SDK's own tool writes them. */
function sdkSchema(): string {
  const tool = fileURLToPath(new URL('./cli/a2a_db.js', import.meta.resolve('@a2a-js/sdk')));
  return execFileSync(process.execPath, [tool, 'upgrade', '--sql', '--dialect', 'sqlite'], {
    encoding: 'utf8',
  });
}
