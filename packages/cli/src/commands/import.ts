import { resolve } from 'node:path';
import { usableInterfaces } from '@holdword/client/internal';
import { createGuardedClient } from '@holdword/net/internal';
import { asObject } from '@holdword/protocol/internal';
import { isEnvironmentName, readEnvironments, type Environment } from '../calling/environments.ts';
import { findCard, readReference } from '../calling/find-card.ts';
import { keepCard, keepKey, writeEnvironments } from '../calling/keep-environments.ts';
import type { Command, CommandInput } from '../command-line/command.ts';
import { JSON_OPTION, printTable } from '../command-line/json-output.ts';
import { OpenClawConfig, OUTBOUND } from '../openclaw/openclaw-config.ts';
import { plainName } from '../pairing/pairing-side.ts';
import { CommandError } from '../usage-error.ts';
import { listed } from './command-list.ts';

const importPeers: Command = {
  ...listed('import'),
  details:
    'Reads the peers of its bundled A2A channel that have a url, and the targets of the plugin openclaw-a2a-outbound, of Holdword or of ' +
    '@aramisfa. A peer is called at its url, by a card that is written for it unless it publishes one. A key that stands in the configuration is copied to a file that only you can read; one in a variable or a file stays there. ' +
    'Names that exist are kept as they are. Nothing of OpenClaw is changed.',
  options: {
    from: { value: 'FILE', description: "OpenClaw's configuration", default: 'where OpenClaw keeps it' },
    ...JSON_OPTION,
  },
  examples: [{ comment: 'Call the agents that OpenClaw may call', command: 'holdword import' }],
  page: 'guides/talk-to-an-agent.md',
  async run(input) {
    const config = await loadConfig(input);
    const existing = await readEnvironments(input.environment);
    const found = [...peersIn(config), ...targetsIn(config)];
    const added: Record<string, Environment> = {};
    const rows: { name: string; url: string; imported: boolean; why?: string }[] = [];
    for (const { name: given, url, isEndpoint, key, keyFrom } of found) {
      const name = isEnvironmentName(given) ? given : plainName(given);
      const isTaken = Object.hasOwn(existing, name) || Object.hasOwn(added, name);
      rows.push({ name, url, imported: !isTaken, ...(isTaken && { why: 'the name exists' }) });
      if (isTaken) continue;
      const source = key === undefined ? keyFrom : await keepKey(input, name, key);
      const address = isEndpoint ? await addressOf(input, name, url, source !== undefined) : url;
      added[name] = { url: address, ...(source !== undefined && { keyFrom: source }) };
    }
    if (Object.keys(added).length > 0) await writeEnvironments(input, { ...existing, ...added });
    const shown = rows.map(({ name, url, why }) => [name, url, why ?? 'imported']);
    const none = `There are no agents to call in ${config.file}.`;
    printTable(input, { agents: rows }, { head: ['NAME', 'AGENT', ''], rows: shown, none });
    return 0;
  },
};

async function loadConfig({ options, environment, workingFolder }: CommandInput): Promise<OpenClawConfig> {
  const { from } = options;
  const config = new OpenClawConfig(
    from === undefined ? environment : { ...environment, OPENCLAW_CONFIG_PATH: resolve(workingFolder, from) },
  );
  await config.load().catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(
      `${config.file} cannot be read: ${why}. Name OpenClaw's configuration with --from FILE.`,
    );
  });
  return config;
}

interface Found {
  readonly name: string;
  readonly url: string;
  /** Whether requests go to the URL itself, rather than to what a card there says. */
  readonly isEndpoint?: boolean;
  /** As it stands in the configuration. */
  readonly key?: string;
  /** Where it is, if not there. */
  readonly keyFrom?: string;
}

/** Peers of the bundled channel that can be called. The token with which they call is not ours to use. */
function peersIn(config: OpenClawConfig): Found[] {
  return Object.entries(config.at('channels', 'a2a', 'peers')).flatMap(([name, peer]) => {
    const { url, outboundToken } = asObject(peer);
    if (typeof url !== 'string' || !URL.canParse(url)) return [];
    return [{ name, url, isEndpoint: true, ...(typeof outboundToken === 'string' && keyIn(outboundToken)) }];
  });
}

/**
 * The bundled channel posts to the URL of a peer and looks for no card. One that lists the URL is used, since it says what else there
 * is, unless it does not tell that a key is needed, as that of the bundled channel itself.
 */
async function addressOf(input: CommandInput, name: string, url: string, hasKey: boolean): Promise<string> {
  const endpoint = new URL(url);
  if (endpoint.pathname === '/' || endpoint.pathname.endsWith('.json')) return url;
  try {
    const { card, published } = await findCard(
      readReference(endpoint.origin, input.workingFolder),
      (trustedOrigins) => createGuardedClient({ trustedOrigins }),
      '1.0',
      AbortSignal.timeout(CARD_MILLISECONDS),
    );
    const takesKey = !hasKey || Object.keys(asObject(published['securitySchemes'])).length > 0;
    if (takesKey && usableInterfaces(card).some((each) => each.url === endpoint.href)) return endpoint.origin;
  } catch {
    // It publishes none, or does not run.
  }
  return keepCard(input, name, cardOf(name, endpoint.href, hasKey));
}

const CARD_MILLISECONDS = 5_000;

/** What the bundled channel takes for granted of a peer. */
function cardOf(name: string, url: string, hasKey: boolean): object {
  return {
    name,
    description: 'Imported from the A2A channel of OpenClaw.',
    version: '1.0.0',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    ...(hasKey && {
      securitySchemes: { key: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
      securityRequirements: [{ schemes: { key: { list: [] } } }],
    }),
  };
}

/** Targets of the outbound plugin. */
function targetsIn(config: OpenClawConfig): Found[] {
  return (config.list(['plugins', 'entries', OUTBOUND, 'config'], 'targets') ?? [])
    .map(asObject)
    .flatMap((target) => {
      const { alias, baseUrl, cardPath, auth } = target;
      if (typeof alias !== 'string' || typeof baseUrl !== 'string' || !URL.canParse(baseUrl)) return [];
      const url = typeof cardPath === 'string' ? new URL(cardPath, baseUrl).href : baseUrl;
      const { type, token } = asObject(auth);
      const { file } = asObject(token);
      if (type !== 'bearer') return [{ name: alias, url }];
      if (typeof file === 'string') return [{ name: alias, url, keyFrom: `file:${file}` }];
      return [{ name: alias, url, ...(typeof token === 'string' && keyIn(token)) }];
    });
}

/** OpenClaw puts a variable in place of `${NAME}`. */
function keyIn(text: string): Pick<Found, 'key' | 'keyFrom'> {
  const [, variable] = /^\$\{(\w+)\}$/.exec(text) ?? [];
  return variable === undefined ? { key: text } : { keyFrom: `env:${variable}` };
}

export const commands: readonly Command[] = [importPeers];
