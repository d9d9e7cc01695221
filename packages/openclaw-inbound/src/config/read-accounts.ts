import type { AccountConfig } from './account-config.ts';
import { accountSchema, type AccountInput } from './account-schema.ts';
import { asObject } from './as-object.ts';
import { bundledAccount, type HostAgent } from './bundled-account.ts';
import { BUNDLED_KEYS, bundledSchema, channelSchema } from './channel-schema.ts';
import { checkAccount } from './check-account.ts';
import { describeProblem, placeOf } from './describe-problem.ts';
import { fillAccount, isComplete } from './fill-account.ts';
import { findConflicts } from './find-conflicts.ts';
import { parsePublicBaseUrl } from './public-base-url.ts';

/** An account as the configuration has it, good or not. */
export interface AccountEntry {
  readonly accountId: string;
  readonly enabled: boolean;
  /** Absent when something is wrong with it. */
  readonly config?: AccountConfig;
  /** What is wrong, each a sentence with its place. */
  readonly problems: readonly string[];
  /** What is taken and has no effect. */
  readonly warnings: readonly string[];
}

const DEFAULT_ACCOUNT = 'default';
/** What a gateway has whose configuration names no agents. */
const ONLY_MAIN: readonly HostAgent[] = [{ id: 'main' }];

/**
 * Reads `channels.a2a`, where the gateway has the given agents. What is wrong with one account leaves the others as they
 * are.
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
  // A section that is wrong as a whole still shows up as something that does not run.
  if (drafts.length === 0 && problems.hasGeneral) drafts.push({ accountId: DEFAULT_ACCOUNT, enabled: true });

  const enabled = drafts.filter((draft) => channelEnabled && draft.enabled);
  for (const { accountId, problem } of findConflicts(enabled.flatMap(({ config }) => config ?? []))) {
    problems.add(accountId, [`${placeOf(['accounts', accountId])}: ${problem}.`]);
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
  const place = ['accounts', accountId];
  const url = readUrl(parsed.data.publicBaseUrl, [...place, 'publicBaseUrl'], accountId, problems);
  const config = fillAccount(accountId, parsed.data, url);
  for (const { path, problem } of checkAccount(config)) {
    problems.add(accountId, [`${placeOf([...place, ...path])}: ${problem}.`]);
  }
  return { accountId, enabled, config, warnings: warningsOf(parsed.data, place) };
}

function warningsOf({ skills = [], originRoutingPolicy }: AccountInput, place: readonly string[]): string[] {
  const incomplete = skills.flatMap((skill, index) => (isComplete(skill) ? [] : [index]));
  return [
    ...incomplete.map(
      (index) =>
        `${placeOf([...place, 'skills', index])} is left out: expected a skill with id and name. Add what is missing.`,
    ),
    ...(originRoutingPolicy === undefined
      ? []
      : [
          `${placeOf([...place, 'originRoutingPolicy'])} has no effect: every answer goes to its caller. Remove it.`,
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
      `${placeOf([])}: expected either accounts.${accountId} or ${Object.keys(given).join(', ')} beside it, found both; ` +
        `move the peers to accounts.${accountId}.auth.peers, or give that account another name.`,
    ]);
  }
  const parsed = bundledSchema.safeParse(given);
  if (!parsed.success) return { accountId, enabled: true };
  const url = readUrl(parsed.data.advertisedUrl, ['advertisedUrl'], accountId, problems);
  const config = bundledAccount(accountId, parsed.data, url, agents);
  for (const { path, problem } of checkAccount(config)) {
    // The peers stand in the section itself, not under `auth`.
    problems.add(accountId, [`${placeOf(path.slice(1))}: ${problem}.`]);
  }
  return {
    accountId,
    enabled: true,
    config,
    warnings: Object.entries(parsed.data.peers ?? {})
      .filter(([, peer]) => peer.url !== undefined)
      .map(
        ([name]) =>
          `${placeOf(['peers', name, 'url'])} has no effect: this plugin answers calls. ` +
          'To call others, install the plugin openclaw-a2a-outbound.',
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
  problems.add(accountId, [`${placeOf(path)}: ${parsed.problem}.`]);
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

/** Collects what is wrong: with one account, or with the section and so with all of them. */
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
