import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { asObject } from '@holdword/protocol/internal';
import { writeSecretFile } from '../calling/secret-file.ts';
import type { CommandInput } from '../command-line/command.ts';
import { applyOpenClaw } from '../openclaw/openclaw-command.ts';
import { INBOUND, OpenClawConfig, OUTBOUND } from '../openclaw/openclaw-config.ts';
import { CommandError } from '../usage-error.ts';
import { freeName, plainName, type IssuedKey, type PairingSide } from './pairing-side.ts';

/**
 * OpenClaw with the plugins. Others call an account of the channel as a peer without tools; the agents it may call become targets
 * of the tool remote_agent. OpenClaw itself changes its configuration, so that it checks it and reads it again.
 */
export async function openOpenClawSide(input: CommandInput): Promise<PairingSide> {
  const config = new OpenClawConfig(input.environment);
  await config.load().catch((error: unknown) => {
    throw new CommandError(
      `${config.file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
  // On this side the option says that it is OpenClaw, not which command runs it.
  const { openclaw: _isOpenClaw, ...options } = input.options;
  const openclaw = { ...input, options };
  const account = findAccount(config, input.options['account']);
  return {
    name: plainName(input.options['name'] ?? account?.label ?? 'openclaw'),
    url: account?.url,
    issueKey: (peer) => issueKey(openclaw, config, account?.name ?? '', peer),
    keep: ({ name, url, key }) =>
      keepTarget(openclaw, config, plainName(input.options['as'] ?? name), url, key),
  };
}

interface Account {
  readonly name: string;
  readonly label: string;
  readonly url: string;
}

/** The account that others call. Without the inbound plugin OpenClaw only calls. */
function findAccount(config: OpenClawConfig, wanted: string | undefined): Account | undefined {
  const accounts = config.accounts();
  const found = wanted === undefined ? accounts[0] : accounts.find(([name]) => name === wanted);
  if (found === undefined) {
    if (wanted === undefined) return undefined;
    throw new CommandError(
      `OpenClaw has no account "${wanted}" of the channel a2a. It has: ${accounts.map(([name]) => name).join(', ')}`,
    );
  }
  const [name, { publicBaseUrl, label, agentCardPath }] = found;
  if (!config.isInstalled(INBOUND) || typeof publicBaseUrl !== 'string') {
    throw new CommandError(
      `The account ${name} of OpenClaw cannot be called yet. See why with: holdword doctor`,
    );
  }
  return {
    name,
    label: typeof label === 'string' ? label : 'OpenClaw',
    url: typeof agentCardPath === 'string' ? new URL(agentCardPath, publicBaseUrl).href : publicBaseUrl,
  };
}

async function issueKey(
  input: CommandInput,
  config: OpenClawConfig,
  account: string,
  peer: string,
): Promise<IssuedKey> {
  const peers = config.at('channels', 'a2a', 'accounts', account, 'auth', 'peers');
  const name = freeName(peer, (each) => Object.hasOwn(peers, each));
  const key = randomBytes(32).toString('hex');
  const path = `channels.a2a.accounts.${account}.auth.peers.${name}`;
  const keySha256 = createHash('sha256').update(key).digest('hex');
  await patch(input, {
    channels: { a2a: { accounts: { [account]: { auth: { peers: { [name]: { keySha256 } } } } } } },
  });
  return {
    key,
    described: `key of the peer "${name}", which has no tools; revoke it with: openclaw config unset ${path}`,
    revoke: () => applyOpenClaw(input, ['config', 'unset', path]),
  };
}

/** The key goes into a file next to the configuration that only this user can read. */
async function keepTarget(
  input: CommandInput,
  config: OpenClawConfig,
  wanted: string,
  url: string,
  key: string | undefined,
): Promise<string> {
  // The other side has kept what it got by now.
  if (!config.isInstalled(OUTBOUND)) {
    return `OpenClaw cannot call it: the plugin ${OUTBOUND} is not installed. Install it, and pair again: openclaw plugins install @holdword/${OUTBOUND}`;
  }
  const existing = config.list(['plugins', 'entries', OUTBOUND, 'config'], 'targets') ?? [];
  const aliases = existing.map((target) => asObject(target)['alias']);
  const alias = freeName(wanted, (each) => aliases.includes(each));
  const { origin, pathname } = new URL(url);
  const isCard = pathname.endsWith('.json');
  const file = join(dirname(config.file), 'a2a-keys', alias);
  if (key !== undefined) await writeSecretFile(file, `${key}\n`);
  const target = {
    alias,
    baseUrl: isCard ? origin : url,
    ...(isCard && { cardPath: pathname }),
    ...(key !== undefined && { auth: { type: 'bearer', token: { file } } }),
  };
  await patch(input, {
    plugins: { entries: { [OUTBOUND]: { config: { enabled: true, targets: [...existing, target] } } } },
  });
  return `The agent of OpenClaw can call it now, as the target "${alias}" of the tool remote_agent.`;
}

async function patch(input: CommandInput, change: object): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-patch-'));
  try {
    const file = join(folder, 'patch.json');
    await writeFile(file, JSON.stringify(change), { mode: 0o600 });
    await applyOpenClaw(input, ['config', 'patch', '--file', file]);
  } finally {
    await rm(folder, { recursive: true });
  }
}
