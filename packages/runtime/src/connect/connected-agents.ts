import { shorten } from '@holdword/protocol/internal';
import type { Store } from '@holdword/store';
import type { AgentDescription } from '../agent-description.ts';
import { hashSecret, isSecretOf, newSecret } from '../serve/auth/api-keys.ts';

/**
 * The agents that a host serves for their workers: their names, what they say about themselves, who may call them, and the
 * hashes of the tokens with which workers connect. A token is `holdword-worker_<name>_<secret>` and good for nothing else.
 */
const NAMESPACE = 'connected-agents';

/** The part of a store that keeps them. */
export type AgentRecords = Pick<
  Store,
  'getRecord' | 'putRecord' | 'replaceRecord' | 'deleteRecord' | 'listRecords'
>;

/** An agent that workers connect to a host. */
export interface ConnectedAgent {
  /** Part of its URL. */
  readonly name: string;
  readonly createdAt: string;
  /** The names of the callers that may call it. Absent if all callers of the host may. */
  readonly callers?: readonly string[];
  /** What its last worker said about it. */
  readonly card?: AgentDescription;
}

interface StoredAgent extends ConnectedAgent {
  readonly tokenHash: string;
}

/** An agent together with the token that its workers send. */
export interface IssuedAgent {
  readonly agent: ConnectedAgent;
  /** Shown once: only its hash is stored. */
  readonly token: string;
}

/**
 * Adds an agent to a host.
 *
 * @throws Error if the name is taken or invalid.
 * @example
 * ```ts
 * const store = await openSqliteStore({ folder: '.holdword' });
 * const { token } = await addConnectedAgent(store, { name: 'laptop' });
 * ```
 */
export async function addConnectedAgent(
  records: AgentRecords,
  { name, callers }: { name: string; callers?: readonly string[] | undefined },
): Promise<IssuedAgent> {
  const secret = newSecret();
  const agent: StoredAgent = {
    name: checkAgentName(name),
    createdAt: new Date().toISOString(),
    ...(callers !== undefined && { callers }),
    tokenHash: hashSecret(secret),
  };
  if (!(await records.replaceRecord(NAMESPACE, name, undefined, JSON.stringify(agent)))) {
    throw new Error(`An agent named "${name}" already exists. Choose another name, or rotate its token.`);
  }
  return { agent: describe(agent), token: tokenOf(name, secret) };
}

/**
 * Replaces the token of an agent. The old one stops working at once.
 *
 * @throws Error if there is no agent of this name.
 * @example
 * ```ts
 * const store = await openSqliteStore({ folder: '.holdword' });
 * const { token } = await rotateConnectedAgent(store, 'laptop');
 * ```
 */
export async function rotateConnectedAgent(records: AgentRecords, name: string): Promise<IssuedAgent> {
  const secret = newSecret();
  const agent = await change(records, name, (stored) => ({ ...stored, tokenHash: hashSecret(secret) }));
  return { agent: describe(agent), token: tokenOf(name, secret) };
}

/**
 * Removes an agent. Its tasks stay, and belong to the next agent of that name.
 *
 * @throws Error if there is no agent of this name.
 * @example
 * ```ts
 * const store = await openSqliteStore({ folder: '.holdword' });
 * await removeConnectedAgent(store, 'laptop');
 * ```
 */
export async function removeConnectedAgent(records: AgentRecords, name: string): Promise<void> {
  if (!(await records.deleteRecord(NAMESPACE, name))) throw await unknownAgent(records, name);
}

/**
 * Lists the agents of a host, sorted by name.
 *
 * @example
 * ```ts
 * const store = await openSqliteStore({ folder: '.holdword' });
 * for (const { name, createdAt } of await listConnectedAgents(store)) console.log(name, createdAt);
 * ```
 */
export async function listConnectedAgents(records: AgentRecords): Promise<ConnectedAgent[]> {
  return (await records.listRecords(NAMESPACE)).map(({ value }) => describe(decode(value)));
}

/** Undefined if there is none of this name. */
export async function findConnectedAgent(
  records: Pick<AgentRecords, 'getRecord'>,
  name: string,
): Promise<ConnectedAgent | undefined> {
  const value = await records.getRecord(NAMESPACE, name);
  return value === undefined ? undefined : describe(decode(value));
}

/** The agent whose workers have this token. Undefined if it is not the token of an agent. */
export async function agentOfToken(
  records: Pick<AgentRecords, 'getRecord'>,
  token: string,
): Promise<ConnectedAgent | undefined> {
  const [, name = '', secret = ''] =
    /^holdword-worker_([a-z0-9-]{1,63})_([A-Za-z0-9_-]{43})$/.exec(token) ?? [];
  const value = name === '' ? undefined : await records.getRecord(NAMESPACE, name);
  const agent = value === undefined ? undefined : decode(value);
  return agent !== undefined && isSecretOf(secret, agent.tokenHash) ? describe(agent) : undefined;
}

/** Keeps what a worker says about its agent, so that the card can be read while the agent is offline. */
export async function describeConnectedAgent(
  records: AgentRecords,
  name: string,
  card: AgentDescription,
): Promise<ConnectedAgent> {
  return describe(await change(records, name, (stored) => ({ ...stored, card })));
}

/** The name, if it can be one of an agent: it is part of a URL. */
export function checkAgentName(name: string): string {
  if (/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) return name;
  throw new Error(
    'An agent name has 1 to 63 lower-case letters, digits or "-", and neither begins nor ends with "-", found ' +
      `"${shorten(name, 80)}". Choose another name.`,
  );
}

async function change(
  records: AgentRecords,
  name: string,
  edit: (agent: StoredAgent) => StoredAgent,
): Promise<StoredAgent> {
  for (;;) {
    const value = await records.getRecord(NAMESPACE, name);
    if (value === undefined) throw await unknownAgent(records, name);
    const changed = edit(decode(value));
    const json = JSON.stringify(changed);
    if (json === value || (await records.replaceRecord(NAMESPACE, name, value, json))) return changed;
  }
}

async function unknownAgent(records: AgentRecords, name: string): Promise<Error> {
  const names = (await listConnectedAgents(records)).map((agent) => agent.name);
  const known = names.length > 0 ? `Existing agents: ${names.join(', ')}.` : 'There are none yet.';
  return new Error(
    `There is no agent named "${shorten(name, 80)}". ${known} Add one with "holdword agents add NAME".`,
  );
}

function tokenOf(name: string, secret: string): string {
  return `holdword-worker_${name}_${secret}`;
}

/** Written only by this file, so its shape is known. */
function decode(value: string): StoredAgent {
  return JSON.parse(value) as StoredAgent;
}

function describe(stored: StoredAgent): ConnectedAgent {
  const { tokenHash: _, ...agent } = stored;
  return agent;
}
