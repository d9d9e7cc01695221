import { DatabaseTaskStore } from '@a2a-js/sdk/server/database';
import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { sdkSchema } from './sdk-schema.ts';
import { serveSdk } from './sdk-server.ts';

/** As many as the load has connections, so that no request of the SDK waits for one. */
const CONNECTIONS = 10;

const url = process.argv[2];
if (url === undefined) throw new Error('The argument must be the URL of an empty database.');

const pool = new Pool({ connectionString: url, max: CONNECTIONS });
await pool.query(sdkSchema('postgres'));
await serveSdk(new DatabaseTaskStore(new Kysely({ dialect: new PostgresDialect({ pool }) })));
