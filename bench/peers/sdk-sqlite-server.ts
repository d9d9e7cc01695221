import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DatabaseTaskStore } from '@a2a-js/sdk/server/database';
import { Kysely, SqliteDialect } from 'kysely';
import { kyselyDatabase } from './kysely-database.ts';
import { sdkSchema } from './sdk-schema.ts';
import { serveSdk } from './sdk-server.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('The argument must be the folder of the database.');

const database = new DatabaseSync(join(folder, 'tasks.db'));
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
database.exec(sdkSchema('sqlite'));
const kysely = new Kysely({ dialect: new SqliteDialect({ database: kyselyDatabase(database) }) });
await serveSdk(new DatabaseTaskStore(kysely));
