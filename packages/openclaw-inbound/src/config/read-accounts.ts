import { asObject, shorten, trimEndOf } from '@holdword/protocol/internal';
import { isComplete, resolveAccount, type AccountConfig } from './account-config.ts';
import { accountSchema, type AccountSettings } from './account-schema.ts';
import { BUNDLED_KEYS, bundledAccount, bundledSchema, type HostAgent } from './bundled-channel.ts';
import { channelSchema } from './channel-schema.ts';
import { checkAccount, findConflicts } from './check-accounts.ts';
import { describeProblem, formatPath } from './describe-problem.ts';
import { unknownTools } from './tool-names.ts';

/** An account from the configuration, valid or not. */
export interface AccountEntry {
  readonly accountId: string;
  readonly enabled: boolean;
  /** Absent if the account is invalid. */
  readonly config?: AccountConfig | undefined;
  /** What is invalid, each with its path. */
  readonly problems: readonly string[];
  /** Settings that are accepted but have no effect, or probably not the intended one. */
  readonly warnings: readonly string[];
}

/** The account that commands mean if they name none. */
export const DEFAULT_ACCOUNT = 'default';
const MAX_TOOL_LENGTH = 60;
/** The agents of a gateway whose configuration names none. */
const ONLY_MAIN: readonly HostAgent[] = [{ id: 'main' }];

/**
 * Reads `channels.a2a` of a gateway with the given agents. An invalid account does not affect the others. Unknown names of tools are
 * reported unless plugins or MCP servers may have added them.
 */
export function readAccounts(
  section: unknown,
  agents = ONLY_MAIN,
  { hasOtherTools = true }: { readonly hasOtherTools?: boolean } = {},
): AccountEntry[] {
  const input = asObject(section);
  const channelEnabled = input['enabled'] !== false;
  const result = channelSchema.safeParse(section ?? {});
  const problems = new Problems();
  for (const issue of result.error?.issues ?? []) {
    const [first, accountId] = issue.path;
    const owner = first === 'accounts' && accountId !== undefined ? String(accountId) : undefined;
    problems.add(owner, describeProblem(issue, section));
  }

  const drafts: Draft[] = Object.entries(asObject(input['accounts'])).map(([accountId, account]) =>
    draftAccount(accountId, account, { agents, hasOtherTools }, problems),
  );
  if (BUNDLED_KEYS.some((key) => key in input)) drafts.push(draftBundled(input, agents, problems));
  // An invalid section still shows up as an account that does not run.
  if (drafts.length === 0 && problems.hasGeneral) drafts.push({ accountId: DEFAULT_ACCOUNT, enabled: true });

  const enabled = drafts.filter((draft) => channelEnabled && draft.enabled);
  for (const { accountId, problem } of findConflicts(enabled.flatMap(({ config }) => config ?? []))) {
    problems.add(accountId, [`${formatPath(['accounts', accountId])}: ${problem}.`]);
  }
  return drafts.map((draft) => finish(draft, channelEnabled, problems));
}

interface Draft {
  readonly accountId: string;
  readonly enabled: boolean;
  readonly config?: AccountConfig | undefined;
  readonly warnings?: readonly string[];
}

function draftAccount(
  accountId: string,
  account: unknown,
  { agents, hasOtherTools }: { readonly agents: readonly HostAgent[]; readonly hasOtherTools: boolean },
  problems: Problems,
): Draft {
  const enabled = asObject(account)['enabled'] !== false;
  const parsed = accountSchema.safeParse(account);
  if (!parsed.success) return { accountId, enabled };
  const accountPath = ['accounts', accountId];
  const url = readUrl(parsed.data.publicBaseUrl, [...accountPath, 'publicBaseUrl'], accountId, problems);
  const config = resolveAccount(accountId, parsed.data, url);
  for (const { path, problem } of checkAccount(config, agents)) {
    problems.add(accountId, [`${formatPath([...accountPath, ...path])}: ${problem}.`]);
  }
  const warnings = [
    ...warningsOf(parsed.data, accountPath, hasOtherTools),
    ...unusedByHosted(account, accountPath),
  ];
  return { accountId, enabled, config, warnings };
}

/** Settings about addresses, tasks and requests, which are the host's if an account connects to one. */
const ONLY_SERVED = ['agentCardPath', 'jsonRpcPath', 'maxBodyBytes', 'taskStore', 'push'];

function unusedByHosted(account: unknown, accountPath: readonly string[]): string[] {
  const given = asObject(account);
  if (given['connect'] === undefined) return [];
  return ONLY_SERVED.filter((name) => name in given).map(
    (name) =>
      `${formatPath([...accountPath, name])} has no effect with connect: the host serves the agent. Remove it.`,
  );
}

function warningsOf(
  { skills, originRoutingPolicy, auth }: AccountSettings,
  accountPath: readonly string[],
  hasOtherTools: boolean,
): string[] {
  const incomplete = skills.flatMap((skill, index) => (isComplete(skill) ? [] : [index]));
  return [
    ...incomplete.map(
      (index) =>
        `${formatPath([...accountPath, 'skills', index])} is ignored: a skill needs id and name. Add what is missing.`,
    ),
    ...Object.entries(auth.peers).flatMap(([name, { tools }]) =>
      unknownTools(tools, { hasOtherTools }).map(({ tool, index, meant }) => {
        const path = formatPath([...accountPath, 'auth', 'peers', name, 'tools', index]);
        const advice =
          meant === undefined
            ? 'no plugin or MCP server is configured that could have it, so'
            : `did you mean "${meant}"? Unless a plugin has such a tool,`;
        return `${path}: OpenClaw has no tool "${shorten(tool, MAX_TOOL_LENGTH)}"; ${advice} the peer does not get it.`;
      }),
    ),
    ...(originRoutingPolicy === undefined
      ? []
      : [
          `${formatPath([...accountPath, 'originRoutingPolicy'])} has no effect: every answer goes to its caller. Remove it.`,
        ]),
  ];
}

function draftBundled(
  input: Record<string, unknown>,
  agents: readonly HostAgent[],
  problems: Problems,
): Draft {
  const accountId = DEFAULT_ACCOUNT;
  const given = Object.fromEntries(Object.entries(input).filter(([key]) => BUNDLED_KEYS.includes(key)));
  if (accountId in asObject(input['accounts'])) {
    problems.add(accountId, [
      `${formatPath([])}: accounts.${accountId} cannot be combined with ${Object.keys(given).join(', ')}; ` +
        `move the peers to accounts.${accountId}.auth.peers, or rename that account.`,
    ]);
  }
  const parsed = bundledSchema.safeParse(given);
  if (!parsed.success) return { accountId, enabled: true };
  const url = readUrl(parsed.data.advertisedUrl, ['advertisedUrl'], accountId, problems);
  const config = bundledAccount(accountId, parsed.data, url, agents);
  for (const { path, problem } of checkAccount(config, agents)) {
    // The peers are in the section itself, not under `auth`.
    problems.add(accountId, [`${formatPath(path.slice(1))}: ${problem}.`]);
  }
  return {
    accountId,
    enabled: true,
    config,
    warnings: Object.entries(parsed.data.peers ?? {})
      .filter(([, peer]) => peer.url !== undefined)
      .map(
        ([name]) =>
          `${formatPath(['peers', name, 'url'])} has no effect: this plugin only receives requests. ` +
          'To call other agents, install the plugin openclaw-a2a-outbound.',
      ),
  };
}

function readUrl(
  given: string | undefined,
  path: readonly string[],
  accountId: string,
  problems: Problems,
): string | undefined {
  if (given === undefined) return undefined;
  const parsed = parsePublicBaseUrl(given);
  if ('url' in parsed) return parsed.url;
  problems.add(accountId, [`${formatPath(path)}: ${parsed.problem}.`]);
  return undefined;
}

/** Parses a public base URL, or describes why it is invalid. */
function parsePublicBaseUrl(given: string): { url: string } | { problem: string } {
  const found = JSON.stringify(given);
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined) {
    return { problem: `expected a URL such as https://agents.example.com, found ${found}` };
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return { problem: `expected a URL starting with http:// or https://, found ${found}` };
  }
  if (url.username !== '' || url.password !== '') {
    return { problem: 'expected a URL without user name and password, because the agent card is public' };
  }
  if (url.search !== '' || url.hash !== '') {
    return { problem: `expected a URL without query and fragment, found ${found}` };
  }
  return { url: `${url.origin}${trimEndOf(url.pathname, '/')}` };
}

function finish(
  { accountId, enabled, config, warnings = [] }: Draft,
  channelEnabled: boolean,
  all: Problems,
) {
  const problems = all.of(accountId);
  return {
    accountId,
    enabled: channelEnabled && enabled,
    config: problems.length === 0 ? config : undefined,
    problems,
    warnings,
  };
}

/** Collects problems: of one account, or of the section and thus of all accounts. */
class Problems {
  readonly #general: string[] = [];
  readonly #byAccount = new Map<string, string[]>();

  get hasGeneral(): boolean {
    return this.#general.length > 0;
  }

  add(accountId: string | undefined, problems: readonly string[]): void {
    const list = accountId === undefined ? this.#general : (this.#byAccount.get(accountId) ?? []);
    list.push(...problems);
    if (accountId !== undefined) this.#byAccount.set(accountId, list);
  }

  of(accountId: string): string[] {
    return [...this.#general, ...(this.#byAccount.get(accountId) ?? [])];
  }
}
