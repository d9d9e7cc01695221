import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { listKeys } from '@holdword/runtime';
import { listPushTargets } from '@holdword/runtime/internal';
import { errorCode } from '@holdword/protocol/internal';
import { administerPostgres, administerSqlite, isStoreError, type Administration } from '@holdword/store';
import { lockDataFolder } from '@holdword/store/internal';
import type { CommandInput } from '../command-line/command.ts';
import { renderBytes } from '../command-line/render-table.ts';
import type { Config } from '../config/config-schema.ts';
import { checkConfig } from '../serving/check-config.ts';
import {
  describeLocation,
  holdsData,
  isOnLocalDisk,
  openStoreForCommand,
  storeLocation,
  type PersistentLocation,
} from '../serving/open-store.ts';
import { UsageError } from '../usage-error.ts';
import { blocking, fine, problem, warning, type Check, type Finding } from './check.ts';

/** The server of this folder, and what is known of it so far. */
export interface ServerSubject {
  readonly input: CommandInput;
  /** Set by the first check, without which the others do not run. */
  config?: Config;
  /** Warnings about the configuration. */
  warnings?: readonly string[];
}

/** Whether a server can be started here, or is running well. */
export const SERVER_CHECKS: readonly Check<ServerSubject>[] = [
  { id: 'node', run: async () => fine(`Node ${process.versions.node} is supported.`) },
  { id: 'config', run: checkSettings },
  { id: 'variables', run: checkVariables },
  { id: 'data-folder', run: withConfig(checkFolder) },
  { id: 'permissions', run: withConfig(checkPermissions) },
  { id: 'disk', run: withConfig(checkDisk) },
  { id: 'database', run: withConfig(checkDatabase) },
  { id: 'port', run: withConfig((config) => checkPort(config, config.port, 'port')) },
  { id: 'grpc-port', run: withConfig(checkGrpcPort) },
  { id: 'keys', run: withConfig(checkKeys) },
  { id: 'push', run: withConfig(checkPush) },
];

function withConfig(run: (config: Config) => Promise<Finding | undefined>) {
  return async ({ config }: ServerSubject): Promise<Finding | undefined> => config && run(config);
}

async function checkSettings(subject: ServerSubject): Promise<Finding> {
  const warnings: string[] = [];
  const { input } = subject;
  const terminal = { ...input.terminal, error: (text: string) => void warnings.push(text.trim()) };
  try {
    subject.config = await checkConfig({ ...input, terminal });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return blocking('this machine', error.message, 'Correct it, and look again: holdword config check');
  }
  subject.warnings = warnings.map((text) => text.replace(/^holdword: /, ''));
  return fine('The settings are valid.');
}

async function checkVariables({ warnings = [] }: ServerSubject): Promise<Finding | undefined> {
  return warnings.length === 0
    ? undefined
    : warning(
        'this machine',
        warnings.join(' '),
        'See what is used, and where it comes from: holdword config show',
      );
}

async function checkFolder(config: Config): Promise<Finding | undefined> {
  const location = storeLocation(config);
  if (location.kind === 'memory')
    return warning(
      'this machine',
      'The memory store loses all tasks when the server stops.',
      'Use --store sqlite.',
    );
  const { folder } = location;
  const nearest = existing(folder);
  if (!statSync(nearest).isDirectory()) {
    return blocking(
      'this machine',
      `The data folder cannot be ${folder}: ${nearest} is a file.`,
      'Name another folder with --data DIR.',
    );
  }
  try {
    accessSync(nearest, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return blocking(
      'this machine',
      `${nearest} cannot be written by this user.`,
      `Give it to the user of the server: chown -R USER ${nearest}`,
    );
  }
  return fine(nearest === folder ? `${folder} can be written.` : `${folder} will be created.`);
}

function existing(path: string): string {
  return existsSync(path) ? path : existing(dirname(path));
}

/** The data holds messages and keys of callers. */
async function checkPermissions(config: Config): Promise<Finding | undefined> {
  const location = storeLocation(config);
  if (process.platform === 'win32' || location.kind === 'memory' || !existsSync(location.folder))
    return undefined;
  const { mode } = statSync(location.folder);
  return (mode & 0o077) === 0
    ? fine('Only its owner can open the data folder.')
    : warning(
        'this machine',
        `Other users of this machine can open ${location.folder}.`,
        `chmod -R go-rwx ${location.folder}`,
      );
}

async function checkDisk(config: Config): Promise<Finding | undefined> {
  const location = storeLocation(config);
  if (location.kind === 'memory') return undefined;
  const { bavail, bsize, blocks } = await statfs(existing(location.folder));
  const free = bavail * bsize;
  // Some file systems do not say how large they are.
  if (blocks === 0 || free >= config.minimumFreeBytes) return fine(`${renderBytes(free)} are free.`);
  return problem(
    'this machine',
    `Only ${renderBytes(free)} are free for the data; the server reports not ready below ${renderBytes(config.minimumFreeBytes)} (minimumFreeBytes).`,
    'Free some space, or delete old tasks: set retention in holdword.config.json',
  );
}

async function checkDatabase(config: Config): Promise<Finding | undefined> {
  const location = storeLocation(config);
  if (location.kind === 'memory' || location.kind === 'json-file') return undefined;
  let administration: Administration | undefined;
  try {
    if (!(await holdsData(location))) return fine('There is no data yet; a server creates it.');
    administration = await administer(location);
    const { found, current } = await administration.version();
    if (found === current) return fine(`${describeLocation(location)} has the tables of this version.`);
    return found > current
      ? blocking(
          'this machine',
          `The data was written by a newer Holdword (tables ${found}, this one has ${current}).`,
          'npm install --global @holdword/cli@latest',
        )
      : warning(
          'this machine',
          `The data is from an older Holdword (tables ${found}). The next start migrates it.`,
          'To do it now: holdword backup FILE && holdword db migrate',
        );
  } catch (error) {
    if (!isStoreError(error)) throw error;
    return blocking(
      'this machine',
      `The database cannot be used: ${error.message}`,
      DATABASE_FIXES[error.code] ?? 'holdword db check',
    );
  } finally {
    await administration?.close();
  }
}

const DATABASE_FIXES: Readonly<Record<string, string>> = {
  corrupt: 'Restore a backup, or name another folder with --data DIR.',
  unavailable: 'Start the database, or correct HOLDWORD_STORE.',
  'newer-version': 'npm install --global @holdword/cli@latest',
};

function administer(location: PersistentLocation): Promise<Administration> {
  return location.kind === 'postgres'
    ? administerPostgres({ url: location.url, schema: location.schema })
    : administerSqlite(location.folder);
}

async function checkGrpcPort(config: Config): Promise<Finding | undefined> {
  return config.grpcPort === 'off' ? undefined : checkPort(config, config.grpcPort, 'grpc-port');
}

async function checkPort(config: Config, port: number, option: string): Promise<Finding> {
  if (port === 0) return fine('A free port is chosen at every start.');
  const failure = await tryToListen(config.host, port);
  if (failure === undefined) return fine(`Port ${port} is free.`);
  if (failure === 'EADDRINUSE') {
    if (await isServed(config)) return fine(`A server of this folder runs on port ${port}.`);
    return problem(
      'this machine',
      `Port ${port} is used by another program.`,
      `Stop that program, or choose another port: holdword serve --${option} N`,
    );
  }
  if (failure === 'EACCES') {
    return problem(
      'this machine',
      `This user may not listen on port ${port}.`,
      `Choose a port above 1023: --${option} N`,
    );
  }
  return problem(
    'this machine',
    `This machine has no address ${config.host} (${failure}).`,
    'Use --host 127.0.0.1, or an address of this machine.',
  );
}

async function tryToListen(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  server.on('error', (error) => resolve(errorCode(error) ?? 'unknown'));
  server.listen(port, host, () => server.close(() => resolve(undefined)));
  return promise;
}

/** Whether a server has the data. Servers that share a database cannot be told apart. */
async function isServed(config: Config): Promise<boolean> {
  const location = storeLocation(config);
  if (!isOnLocalDisk(location) || !existsSync(location.folder)) return location.kind === 'postgres';
  try {
    (await lockDataFolder(location.folder)).release();
    return false;
  } catch (error) {
    if (isStoreError(error)) return true;
    throw error;
  }
}

async function checkKeys(config: Config): Promise<Finding | undefined> {
  const keys = await fromStore(config, listKeys);
  if (keys === undefined || keys.length === 0) return undefined;
  const now = new Date().toISOString();
  const expired = keys
    .filter(({ expiresAt }) => expiresAt !== undefined && expiresAt < now)
    .map(({ name }) => name);
  if (expired.length === 0)
    return fine(`${keys.length} API ${keys.length === 1 ? 'key is' : 'keys are'} valid.`);
  return warning(
    'this machine',
    `API keys have expired: ${expired.join(', ')}.`,
    `holdword keys rotate ${expired[0]}`,
  );
}

async function checkPush(config: Config): Promise<Finding | undefined> {
  const targets = await fromStore(config, listPushTargets);
  if (targets === undefined || targets.length === 0) return undefined;
  const dead = targets.filter(({ state }) => state === 'dead').length;
  if (dead === 0) return fine('No push notifications were given up.');
  return warning(
    'this machine',
    `Push notifications to ${dead} ${dead === 1 ? 'target were' : 'targets were'} given up.`,
    'holdword push status --state dead, then: holdword push replay all',
  );
}

/** Reads from a database that exists and is of this version; a check is no reason to migrate it. */
async function fromStore<T>(
  config: Config,
  read: (store: Awaited<ReturnType<typeof openStoreForCommand>>) => Promise<T>,
): Promise<T | undefined> {
  const location = storeLocation(config);
  if (location.kind === 'memory' || location.kind === 'json-file' || !(await holdsData(location)))
    return undefined;
  const administration = await administer(location);
  const { found, current } = await administration.version();
  await administration.close();
  if (found !== current) return undefined;
  const store = await openStoreForCommand(location);
  try {
    return await read(store);
  } finally {
    await store.close();
  }
}
