import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Executor, Log } from '@holdword/runtime';
import { connectWorker, type ConnectedWorker, type WorkerSigningKey } from '@holdword/runtime/connect';
import { endLeftBehind } from '@holdword/runtime/internal';
import type { Store } from '@holdword/store';
import type { CommandInput } from '../command-line/command.ts';
import type { Config, GivenConfig } from '../config/config-schema.ts';
import { configFileName, resolveConfig } from '../config/resolve-config.ts';
import { whyUnreadable } from '../config/why-unreadable.ts';
import { CommandError, UsageError } from '../usage-error.ts';
import { checkAgent, loadAgent } from './load-agent.ts';
import { openLog } from './log.ts';
import { openStore, storeLocation } from './open-store.ts';
import { firstStopSignal, firstStrayFailure } from './stop-reasons.ts';

/** Runs an agent for its host until a signal stops it, or it has had its one turn. Resolves with the exit code. */
export async function runWorker(input: CommandInput, defaults: GivenConfig): Promise<number> {
  const stopRequested = firstStopSignal();
  const token = await readToken(input);
  const slots = readSlots(input.options['slots']);
  const signingKey = await readSigningKey(input);
  const config = await resolveConfig(input, defaults);
  checkAgent(config, configFileName(input));
  const log = openLog(input.terminal, config.logLevel, config.logFormat);
  const failed = firstStrayFailure(log);
  const store = await openStore(storeLocation(config), log);
  try {
    const executor = await openAgent(config, store, log);
    const starting = connect(input, { token, slots, signingKey, executor, log });
    const worker = await Promise.race([starting, stopRequested.then(() => undefined)]);
    if (worker === undefined) {
      await executor.close?.();
      return 0;
    }
    announce(input, worker, config);
    const over = [stopRequested.then(() => 0), failed.then(() => 1), worker.done.then(() => 0)];
    const code = await Promise.race(over);
    if (worker.running > 0)
      input.terminal.error(
        `Stopping, waiting up to ${config.graceSeconds} s for ${worker.running} running turns.\n`,
      );
    await worker.stop({ graceMilliseconds: config.graceSeconds * 1000 });
    return code;
  } finally {
    await store.close();
  }
}

async function connect(
  { operands: [host = ''], options }: CommandInput,
  worker: {
    token: string;
    slots: number | undefined;
    signingKey: WorkerSigningKey | undefined;
    executor: Executor;
    log: Log;
  },
): Promise<ConnectedWorker> {
  try {
    const affinity = options['affinity'] === 'true';
    const once = options['once'] === 'true';
    return await connectWorker({ ...worker, host, affinity, once });
  } catch (error) {
    await worker.executor.close?.();
    if (error instanceof TypeError) throw new UsageError(error.message, { cause: error });
    throw error instanceof Error ? new CommandError(error.message, { cause: error }) : error;
  }
}

async function openAgent(config: Config, store: Store, log: Log): Promise<Executor> {
  const agent = await loadAgent(config);
  const processFolder = join(config.data, 'processes');
  await endLeftBehind({ folder: processFolder, log });
  const opened = await agent.open({ processFolder, sessions: store, log, store });
  const problem = await opened.problem?.();
  if (problem !== undefined) log.warn(`Tasks will fail: ${problem}`, { agent: agent.name });
  return opened.executor;
}

function announce(
  { terminal }: CommandInput,
  { agent, url, signingKeyId }: ConnectedWorker,
  { agent: runs }: Config,
): void {
  terminal.announce(
    `${terminal.style('bold', agent)} is connected.\n\n` +
      `  ${terminal.style('dim', 'agent ')}  ${runs}\n` +
      `  ${terminal.style('dim', 'card  ')}  ${url}/.well-known/agent-card.json\n` +
      (signingKeyId === undefined ? '\n' : `  ${terminal.style('dim', 'key   ')}  ${signingKeyId}\n\n`) +
      'Press Ctrl-C to stop.\n',
  );
}

async function readToken({ options, environment, workingFolder }: CommandInput): Promise<string> {
  const file = options['token-file'];
  if (file === undefined) {
    const token = environment['HOLDWORD_WORKER_TOKEN'] ?? '';
    if (token !== '') return token.trim();
    throw new UsageError(
      'A worker needs the token of its agent, in HOLDWORD_WORKER_TOKEN or with --token-file. ' +
        '"holdword agents add NAME" prints one on the host.',
    );
  }
  try {
    return (await readFile(resolve(workingFolder, file), 'utf8')).trim();
  } catch (error) {
    throw new UsageError(`Cannot read the token file ${file} (--token-file): ${whyUnreadable(error)}.`, {
      cause: error,
    });
  }
}

async function readSigningKey({
  options,
  workingFolder,
}: CommandInput): Promise<WorkerSigningKey | undefined> {
  const file = options['signing-key'];
  if (file === undefined) return undefined;
  let pem: string;
  try {
    pem = await readFile(resolve(workingFolder, file), 'utf8');
  } catch (error) {
    throw new UsageError(`Cannot read the key file ${file} (--signing-key): ${whyUnreadable(error)}.`, {
      cause: error,
    });
  }
  try {
    return { key: createPrivateKey(pem) };
  } catch (error) {
    throw new UsageError(
      `--signing-key: ${file} is not a private key in PEM. "openssl genpkey -algorithm ed25519" makes one.`,
      { cause: error },
    );
  }
}

function readSlots(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const slots = Number(text);
  if (Number.isInteger(slots) && slots >= 1 && slots <= 1000) return slots;
  throw new UsageError(`--slots: expected a number from 1 to 1000, found "${text}".`);
}
