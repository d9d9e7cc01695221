import type { AccountConfig } from './account-config.ts';
import { accountSchema, type AccountInput } from './account-schema.ts';
import { asObject } from './as-object.ts';
import { bundledAccount, type HostAgent } from './bundled-account.ts';
import { BUNDLED_KEYS, bundledSchema, channelSchema } from './channel-schema.ts';
import { checkAccount } from './check-account.ts';
import { describeProblem, formatPath } from './describe-problem.ts';
import { fillAccount, isComplete } from './fill-account.ts';
import { findConflicts } from './find-conflicts.ts';
import { parsePublicBaseUrl } from './public-base-url.ts';

/** An account from the configuration, valid or not. */
export interface AccountEntry {
  readonly accountId: string;
  readonly enabled: boolean;
  /** Absent if the account is invalid. */
  readonly config?: AccountConfig;
  /** What is invalid, each with its path. */
  readonly problems: readonly string[];
  /** Settings that are accepted without effect. */
  readonly warnings: readonly string[];
}

const DEFAULT_ACCOUNT = 'default';
/** The agents of a gateway whose configuration names none. */
const ONLY_MAIN: readonly HostAgent[] = [{ id: 'main' }];

/**
 * Reads `channels.a2a` of a gateway with the given agents. An invalid account does not affect the others.
 */
export function readAccounts(section: unknown, agents = ONLY_MAIN): AccountEntry[] {
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
    draftAccount(accountId, account, problems),
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
  readonly config?: AccountConfig;
  readonly warnings?: readonly string[];
}

function draftAccount(accountId: string, account: unknown, problems: Problems): Draft {
  const enabled = asObject(account)['enabled'] !== false;
  const parsed = accountSchema.safeParse(account);
  if (!parsed.success) return { accountId, enabled };
  const accountPath = ['accounts', accountId];
  const url = readUrl(parsed.data.publicBaseUrl, [...accountPath, 'publicBaseUrl'], accountId, problems);
  const config = fillAccount(accountId, parsed.data, url);
  for (const { path, problem } of checkAccount(config)) {
    problems.add(accountId, [`${formatPath([...accountPath, ...path])}: ${problem}.`]);
  }
  return { accountId, enabled, config, warnings: warningsOf(parsed.data, accountPath) };
}

function warningsOf(
  { skills = [], originRoutingPolicy }: AccountInput,
  accountPath: readonly string[],
): string[] {
  const incomplete = skills.flatMap((skill, index) => (isComplete(skill) ? [] : [index]));
  return [
    ...incomplete.map(
      (index) =>
        `${formatPath([...accountPath, 'skills', index])} is ignored: a skill needs id and name. Add what is missing.`,
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
  for (const { path, problem } of checkAccount(config)) {
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

function finish(
  { accountId, enabled, config, warnings = [] }: Draft,
  channelEnabled: boolean,
  all: Problems,
) {
  const problems = all.of(accountId);
  return {
    accountId,
    enabled: channelEnabled && enabled,
    ...(problems.length === 0 && config && { config }),
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
