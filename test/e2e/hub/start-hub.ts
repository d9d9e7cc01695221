import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hubClient, type HubClient } from '@holdword/hub/testing';
import { HoldwordProcess } from '@holdword/cli/testing';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

export type Json = Record<string, unknown>;

/** `holdword hub` in a child process, as a user starts it. */
export interface RunningHub extends HubClient {
  readonly url: string;
  readonly process: HoldwordProcess;
  /** The API keys of the server. */
  readonly keys: readonly string[];
  /** Restarts it on the same data. */
  restart(): Promise<RunningHub>;
  stop(): Promise<void>;
}

export interface HubStart {
  /** `hubOptions` in its configuration file. */
  hubOptions?: Json;
  /** `agentOptions` in its configuration file. */
  agentOptions?: Json;
  /** Other settings in its configuration file. */
  config?: Json;
  /** Additional command-line arguments. */
  words?: readonly string[];
  /** `holdword serve --hub` instead of `holdword hub`. */
  command?: readonly string[];
  /** The server's API keys, each as `holdword keys add` takes it: a name, and options if any. */
  keys?: readonly string[];
}

export const NO_LIMITS = {
  requestsPerMinute: 0,
  agentRequestsPerMinute: 0,
  messagesPerMinute: 0,
  heartbeatsPerMinute: 0,
  registrationsPerMinute: 0,
};

/** Starts a hub on a free port in a new folder. There is no rate limit unless the options set one. */
export async function startHub(start: HubStart = {}): Promise<RunningHub> {
  const { hubOptions = {}, agentOptions = {}, words = [], command = ['hub'], keys = [] } = start;
  const folder = await temporaryFolder();
  const config = { hubOptions: { ...NO_LIMITS, ...hubOptions }, agentOptions, ...start.config };
  await writeFile(join(folder.path, 'holdword.config.json'), JSON.stringify(config));
  const tokens = [];
  for (const key of keys) tokens.push(await addKey(folder.path, key.split(' ')));
  return run([...command, '--port', '0', ...words], folder, tokens);
}

async function run(
  commandLine: readonly string[],
  folder: TemporaryFolder,
  keys: readonly string[],
): Promise<RunningHub> {
  const process = new HoldwordProcess(commandLine, { cwd: folder.path });
  const stop = async (): Promise<void> => {
    await process.stop();
    await folder.remove();
  };
  const restart = async (): Promise<RunningHub> => {
    await process.stop();
    return run(commandLine, folder, keys);
  };
  try {
    const [, url = ''] = await process.printed(/(http:\S+)\/v1\/a2a\s/);
    return { url, process, keys, ...hubClient(url), restart, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function addKey(folder: string, key: readonly string[]): Promise<string> {
  const holdword = new HoldwordProcess(['keys', 'add', ...key], { cwd: folder });
  const [token] = await holdword.printed(/holdword_[0-9a-f]{12}_[A-Za-z0-9_-]{43}/);
  await holdword.ended;
  return token;
}
