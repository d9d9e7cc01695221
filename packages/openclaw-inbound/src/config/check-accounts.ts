import { resolve } from 'node:path';
import { shorten } from '@holdword/protocol/internal';
import type { AccountConfig, TaskStoreConfig } from './account-config.ts';
import { type AccountRoute, accountRoutes } from './account-routes.ts';
import type { HostAgent } from './bundled-channel.ts';

const MAX_SHOWN = 200;
const PLAIN_INPUT_MODES: readonly string[] = ['text/plain', 'application/json'];

/** A violated rule, with the path inside the account. */
interface BrokenRule {
  readonly path: readonly string[];
  readonly problem: string;
}

/** Rules across fields, which the schema cannot express. */
export function checkAccount(config: AccountConfig, agents: readonly HostAgent[]): BrokenRule[] {
  return [
    ...checkInputModes(config),
    ...(config.connect === undefined ? checkPaths(config) : []),
    ...checkRequired(config),
    ...checkPeers(config),
    ...checkConnection(config),
    ...checkAgents(config, agents),
  ];
}

/** The gateway would answer with another agent, or fail at every message. */
function checkAgents({ defaultAgentId, auth }: AccountConfig, agents: readonly HostAgent[]): BrokenRule[] {
  const known = agents.map(({ id }) => id);
  const expected = `an agent of this gateway (${shorten(known.join(', '), MAX_SHOWN)})`;
  const named = [
    { path: ['defaultAgentId'], agentId: defaultAgentId },
    ...Object.entries(auth.peers).map(([name, { agentId }]) => ({
      path: ['auth', 'peers', name, 'agentId'],
      agentId,
    })),
  ];
  return named.flatMap(({ path, agentId }) =>
    // OpenClaw compares agent ids in lower case.
    agentId === undefined || known.includes(agentId.toLowerCase())
      ? []
      : [{ path, problem: `expected ${expected}, found "${shorten(agentId, MAX_SHOWN)}"` }],
  );
}

/** Paths that the gateway answers itself, before it asks a plugin; those below them too. */
export const GATEWAY_PATHS: readonly string[] = [
  '/health',
  '/healthz',
  '/ready',
  '/readyz',
  '/startup',
  '/startupz',
  '/tools/invoke',
];

function checkPaths({ agentCardPath, jsonRpcPath }: AccountConfig): BrokenRule[] {
  return Object.entries({ agentCardPath, jsonRpcPath })
    .filter(([, path]) => GATEWAY_PATHS.some((own) => path === own || path.startsWith(`${own}/`)))
    .map(([name, path]) => ({
      path: [name],
      problem: `expected a path that the gateway does not use itself, found "${path}"`,
    }));
}

function checkInputModes({ defaultInputModes, features }: AccountConfig): BrokenRule[] {
  if (features.files) return [];
  return defaultInputModes
    .filter((mode) => !PLAIN_INPUT_MODES.includes(mode))
    .map((mode) => ({
      path: ['defaultInputModes'],
      problem: `expected ${PLAIN_INPUT_MODES.join(' or ')}, found "${mode}"; other media types require features.files`,
    }));
}

function checkRequired({ auth }: AccountConfig): BrokenRule[] {
  if (!auth.required || Object.keys(auth.peers).length > 0) return [];
  return [
    {
      path: ['auth', 'peers'],
      problem: 'expected at least one peer, found none; no caller could authenticate',
    },
  ];
}

function checkPeers({ auth }: AccountConfig): BrokenRule[] {
  const owners = new Map<string, string>();
  const broken: BrokenRule[] = [];
  for (const [name, { keyDigests, subject, hostCaller }] of Object.entries(auth.peers)) {
    if (subject !== undefined && auth.jwt === undefined) {
      broken.push({
        path: ['auth', 'peers', name],
        problem: 'subject requires auth.jwt, which is missing',
      });
    }
    const credentials = [
      ...keyDigests.map((digest) => `key ${digest}`),
      ...(subject === undefined ? [] : [`subject ${subject}`]),
      ...(hostCaller === undefined ? [] : [`host caller ${hostCaller}`]),
    ];
    for (const credential of credentials) {
      const other = owners.get(credential);
      if (other === undefined) owners.set(credential, name);
      else if (other !== name) {
        broken.push({
          path: ['auth', 'peers', name],
          problem: `the peer has the same credential as peer "${other}"; give each peer its own`,
        });
      }
    }
  }
  return broken;
}

/** An account has an address or a host, and each kind knows its callers in its own way. */
function checkConnection({ connect, publicBaseUrl, auth }: AccountConfig): BrokenRule[] {
  const peers = Object.entries(auth.peers);
  if (connect === undefined) {
    return peers
      .filter(([, { hostCaller }]) => hostCaller !== undefined)
      .map(([name]) => ({
        path: ['auth', 'peers', name, 'hostCaller'],
        problem: 'hostCaller requires connect, which is missing',
      }));
  }
  return [
    ...(publicBaseUrl === undefined
      ? []
      : [{ path: ['connect'], problem: 'expected either publicBaseUrl or connect, found both' }]),
    ...peers
      .filter(([, { hostCaller }]) => hostCaller === undefined)
      .map(([name]) => ({
        path: ['auth', 'peers', name],
        problem: 'expected hostCaller, because callers authenticate at the host that the account connects to',
      })),
  ];
}

/** Something an account cannot use because an earlier account uses it. */
interface Conflict {
  readonly accountId: string;
  readonly problem: string;
}

/** Two accounts cannot share a path or a task store. */
export function findConflicts(accounts: readonly AccountConfig[]): Conflict[] {
  // One that connects to a host has neither.
  const served = accounts.filter(({ connect }) => connect === undefined);
  return [...findRouteConflicts(served), ...findStoreConflicts(served)];
}

function findRouteConflicts(accounts: readonly AccountConfig[]): Conflict[] {
  const taken: { accountId: string; route: AccountRoute }[] = [];
  return accounts.flatMap((account) =>
    accountRoutes(account).flatMap((route) => {
      const other = taken.find((each) => overlap(each.route, route));
      taken.push({ accountId: account.accountId, route });
      if (other === undefined) return [];
      const problem =
        other.accountId === account.accountId
          ? `the path ${route.path} is used twice; change agentCardPath or jsonRpcPath`
          : `the path ${route.path} is already used by account "${other.accountId}"; change agentCardPath or jsonRpcPath`;
      return [{ accountId: account.accountId, problem }];
    }),
  );
}

function overlap(one: AccountRoute, other: AccountRoute): boolean {
  return one.path === other.path || isBelow(one, other) || isBelow(other, one);
}

function isBelow({ path }: AccountRoute, above: AccountRoute): boolean {
  return above.match === 'prefix' && path.startsWith(`${above.path}/`);
}

function findStoreConflicts(accounts: readonly AccountConfig[]): Conflict[] {
  const taken = new Map<string, string>();
  return accounts.flatMap(({ accountId, taskStore }) => {
    const location = storeLocation(taskStore);
    if (location === undefined) return [];
    const owner = taken.get(location);
    taken.set(location, owner ?? accountId);
    if (owner === undefined) return [];
    const problem = `the task store is already used by account "${owner}"; change taskStore`;
    return [{ accountId, problem }];
  });
}

/** Stores on disk lock their folder, whatever their format. */
function storeLocation(store: TaskStoreConfig): string | undefined {
  if (store.kind === 'memory') return undefined;
  return store.kind === 'postgres' ? `${store.url} ${store.schema ?? ''}` : resolve(store.path);
}
