import { readAgentCard, usableInterfaces } from '@holdword/client/internal';
import { addKey, listKeys, revokeKey } from '@holdword/runtime';
import { isWildcard } from '@holdword/runtime/internal';
import type { Store } from '@holdword/store';
import { readEnvironments } from '../calling/environments.ts';
import { keepKey, writeEnvironments } from '../calling/keep-environments.ts';
import type { CommandInput } from '../command-line/command.ts';
import type { Config } from '../config/config-schema.ts';
import { resolveConfig } from '../config/resolve-config.ts';
import { openStoreForCommand, storeLocation } from '../serving/open-store.ts';
import { CommandError, UsageError } from '../usage-error.ts';
import { freeName, plainName, type IssuedKey, type PairingSide } from './pairing-side.ts';

const CARD_MILLISECONDS = 10_000;

/** The server of this folder. Others call it with API keys of its store; the agents it may call become environments. */
export async function openServerSide(input: CommandInput, needsAgent: boolean): Promise<PairingSide> {
  const config = await resolveConfig(input);
  const own = await ownAgent(config, input.options['url']);
  if (own === undefined && (needsAgent || input.options['url'] !== undefined)) {
    throw new CommandError(
      `No agent answers at ${localAddress(config)}. Start it with holdword serve, give this command the --port and --data of the server, ` +
        'or name its address with --url URL.',
    );
  }
  if (own !== undefined) requireKeys(config);
  return {
    name: plainName(input.options['name'] ?? own?.name ?? input.environment['USER'] ?? 'caller'),
    url: own?.url,
    issueKey: (peer) => issueKey(config, peer),
    keep: (other) => keepEnvironment(input, other.name, other.url, other.key),
  };
}

function localAddress({ host, port }: Config): string {
  return `http://${isWildcard(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The running server, by its own card: it says by which address others reach it. */
async function ownAgent(
  config: Config,
  given: string | undefined,
): Promise<{ name: string; url: string } | undefined> {
  const base = (given ?? localAddress(config)).replace(/\/$/, '');
  try {
    const response = await fetch(`${base}/.well-known/agent-card.json`, {
      signal: AbortSignal.timeout(CARD_MILLISECONDS),
    });
    const card = readAgentCard(await response.json());
    const [first] = usableInterfaces(card).filter(({ binding }) => binding !== 'GRPC');
    return first && { name: card.name, url: given ?? config.publicUrl ?? first.origin };
  } catch {
    return undefined;
  }
}

function requireKeys(config: Config): void {
  if (config.store !== 'memory' && config.authentication.apiKeys !== false) return;
  throw new UsageError(
    'The other side needs an API key, and this server keeps none. Use --store sqlite and apiKeys.',
  );
}

async function issueKey(config: Config, peer: string): Promise<IssuedKey> {
  const { key, token } = await withKeys(config, async (store) => {
    const taken = (await listKeys(store)).map(({ name }) => name);
    const name = freeName(peer, (each) => taken.includes(each));
    // A key of this name that was revoked belonged to somebody else.
    return addKey(store, { name }).catch(() => addKey(store, { name: `${name}-${Date.now().toString(36)}` }));
  });
  return {
    key: token,
    described: `API key "${key.name}"; revoke it with: holdword keys revoke ${key.name}`,
    revoke: () => withKeys(config, (store) => revokeKey(store, key.name)),
  };
}

async function withKeys<T>(config: Config, use: (store: Store) => Promise<T>): Promise<T> {
  const location = storeLocation(config);
  if (location.kind === 'memory')
    throw new UsageError('The memory store keeps no API keys. Use --store sqlite.');
  const store = await openStoreForCommand(location);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Keeps another agent under a name. */
async function keepEnvironment(
  input: CommandInput,
  peer: string,
  url: string,
  key: string | undefined,
): Promise<string> {
  const environments = await readEnvironments(input.environment);
  const name = freeName(plainName(input.options['as'] ?? peer), (each) => Object.hasOwn(environments, each));
  const keyFrom = key === undefined ? undefined : await keepKey(input, name, key);
  await writeEnvironments(input, {
    ...environments,
    [name]: { url, ...(keyFrom !== undefined && { keyFrom }) },
  });
  return `Call it with: holdword send -a ${name} "hello"`;
}
