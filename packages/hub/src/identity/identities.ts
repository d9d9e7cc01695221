import type { JsonObject } from '@holdword/protocol';
import { hashSecret, isSecretOf } from '@holdword/runtime/internal';
import type { RequestHeaders } from '@holdword/runtime';
import type { Store } from '@holdword/store';
import { declaredSessionIds } from '../sessions/declared-sessions.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { HubError } from '../wire/hub-error.ts';
import { firstHeader } from '../wire/read-fields.ts';
import type { HubRequestContext } from '../wire/request-context.ts';
import {
  AGENT_ID_HEADERS,
  agentToken,
  declaredAgentId,
  isAgentId,
  programAgentId,
} from './declared-agent.ts';
import { ownerOfAgent, type AgentRecord, type Identity } from './identity.ts';

/** All agents by id, deleted ones too. */
export const AGENTS = 'hub-agents';
const CONTROLLED = 'hub-controlled-agents';
/** By the caller that registered them: its agents, deleted ones too. */
const REGISTERED = 'hub-registered-agents';
export const BLOCKED_AGENTS = 'hub-blocked-agents';

/** The sender of a request: an authenticated agent, or an agent that is only declared. */
export type Identification =
  | { readonly identity: Identity }
  | { readonly identity?: undefined; readonly agentId?: string; readonly rejection: IdentityRejection };

/**
 * The registered agents of a hub.
 *
 * Responsible for storing agents and authenticating callers: tokens are stored as hashes, a registered agent always needs
 * its token, and an id is assigned only once. Leaves creating tokens to `agents/register`, and sessions to Sessions.
 */
export class Identities {
  readonly #store: Store;
  readonly #sessions: Pick<Sessions, 'find'>;
  readonly #onRequest: (agentId: string) => Promise<unknown>;
  /** The agents that were proved when their requests arrived, by the headers of the request. */
  readonly #proofs = new WeakMap<RequestHeaders, Identification>();

  /** `onRequest` is called with the id of each agent that was authenticated for a request. */
  constructor(
    store: Store,
    sessions: Pick<Sessions, 'find'>,
    onRequest: (agentId: string) => Promise<unknown>,
  ) {
    this.#store = store;
    this.#sessions = sessions;
    this.#onRequest = onRequest;
  }

  async find(agentId: string): Promise<AgentRecord | undefined> {
    const value = await this.#store.getRecord(AGENTS, agentId);
    return value === undefined ? undefined : decode(value);
  }

  /**
   * Adds an agent; returns false if the id is taken. All in one commit: a list may then name an agent that another caller added
   * first, which its readers leave out.
   */
  async add(agent: AgentRecord): Promise<boolean> {
    const [isAdded] = await Promise.all([
      this.#store.replaceRecord(AGENTS, agent.agentId, undefined, encode(agent)),
      this.#index(undefined, agent),
    ]);
    return isAdded;
  }

  /** Replaces the agent that was read; returns false if it was changed concurrently. */
  async replace(before: AgentRecord, after: AgentRecord): Promise<boolean> {
    if (encode(before) === encode(after)) return true;
    const replaced = await this.#store.replaceRecord(AGENTS, before.agentId, encode(before), encode(after));
    if (replaced) await this.#index(before, after);
    return replaced;
  }

  /** Removes an agent with its name, unless it was changed concurrently. Whoever registers the name next owns its tasks. */
  async remove(agent: AgentRecord): Promise<boolean> {
    if (!(await this.#store.deleteRecord(AGENTS, agent.agentId, encode(agent)))) return false;
    await this.#index(agent, undefined);
    return true;
  }

  /** One page of all agents or of those that a caller registered, deleted ones too, ordered by id. */
  async list(page: AgentPage, callerKey?: string): Promise<ListedAgents> {
    const [namespace, prefix] =
      callerKey === undefined ? [AGENTS, ''] : [REGISTERED, `${hashSecret(callerKey)}/`];
    const records = await this.#store.listRecords(namespace, prefix, {
      limit: page.limit,
      ...(page.after !== undefined && { after: `${prefix}${page.after}` }),
    });
    const ids = records.map(({ key }) => key.slice(prefix.length));
    const agents =
      callerKey === undefined
        ? records.map(({ value }) => decode(value))
        : await Promise.all(ids.map((agentId) => this.find(agentId)));
    return {
      agents: agents
        .filter((agent) => agent !== undefined)
        .filter(({ registeredBy }) => callerKey === undefined || registeredBy === callerKey),
      next: ids.length < page.limit ? undefined : ids.at(-1),
    };
  }

  /** One page of the agents that declare this controller, ordered by id. */
  async ofController(controllerId: string, page: AgentPage): Promise<AgentRecord[]> {
    const prefix = `${controllerId}/`;
    const records = await this.#store.listRecords(CONTROLLED, prefix, {
      limit: page.limit,
      ...(page.after !== undefined && { after: `${prefix}${page.after}` }),
    });
    const agents = await Promise.all(records.map(({ key }) => this.find(key.slice(prefix.length))));
    return agents.flatMap((agent) => (agent?.controllerId === controllerId ? [agent] : []));
  }

  /** Authenticates the sender. Rejects with a HubError if the agent id or token is missing or wrong. */
  async require(requestContext: HubRequestContext, params: JsonObject): Promise<Identity> {
    const found = await this.identify(requestContext, params);
    if (found.identity !== undefined) {
      await this.#onRequest(found.identity.agentId);
      return found.identity;
    }
    if (found.rejection === 'missing_agent_id' && agentToken(requestContext.headers) === undefined)
      throw noStableAgent();
    throw identityError(found.rejection);
  }

  /**
   * Identifies the sender. Without a declared agent id, the sender is the owner of the declared session if the token is
   * that owner's; otherwise the session is treated as if it did not exist.
   */
  async identify(requestContext: HubRequestContext, params: JsonObject): Promise<Identification> {
    const token = agentToken(requestContext.headers);
    const agentId = declaredAgentId(requestContext.headers, params);
    if (agentId === undefined) {
      const owner = token === undefined ? undefined : await this.#sessionOwner(requestContext, params, token);
      if (owner !== undefined) return { identity: owner };
    }
    const known = this.#proofs.get(requestContext.headers);
    if (known !== undefined && agentId !== undefined && idOf(known) === agentId) return known;
    const named = agentId ?? programAgentId(requestContext.headers);
    return named === undefined ? { rejection: 'missing_agent_id' } : this.prove(named, token, requestContext);
  }

  /**
   * Checks the token of an agent. An agent belongs to the caller that registered it: to a request with the credential of
   * another caller, its token is as good as unknown.
   */
  async prove(
    agentId: string,
    token: string | undefined,
    requestContext: CallerCredential,
  ): Promise<Identification> {
    const agent = await this.find(agentId);
    if (agent === undefined) return { agentId, rejection: 'credential_not_registered' };
    if (belongsToAnother(agent, requestContext)) return { agentId, rejection: 'invalid_token' };
    if (token === undefined || !isSecretOf(token, agent.tokenHash)) {
      // Only the agent itself is told that it was deleted; to others the name is not registered.
      if (agent.deleted !== undefined) return { agentId, rejection: 'credential_not_registered' };
      return { agentId, rejection: token === undefined ? 'missing_token' : 'invalid_token' };
    }
    if (agent.deleted !== undefined) return { agentId, rejection: 'agent_deleted' };
    if (agent.blocked !== undefined) return { agentId, rejection: 'agent_blocked' };
    return { identity: { agentId, agent, owner: ownerOfAgent(agentId) } };
  }

  /**
   * The agent whose id and token are in the headers of a request that arrives, to apply its limits; undefined if there is
   * none. What reads the request later does not prove it again.
   */
  async proveArriving(headers: RequestHeaders, credential: CallerCredential): Promise<Identity | undefined> {
    const agentId = firstHeader(headers, AGENT_ID_HEADERS);
    const token = agentToken(headers);
    if (agentId === undefined || token === undefined || !isAgentId(agentId)) return undefined;
    const found = await this.prove(agentId, token, credential);
    this.#proofs.set(headers, found);
    return found.identity;
  }

  async #sessionOwner(
    requestContext: HubRequestContext,
    params: JsonObject,
    token: string,
  ): Promise<Identity | undefined> {
    for (const { value } of declaredSessionIds(requestContext, params)) {
      const session = await this.#sessions.find(value);
      const proved = session && (await this.prove(session.agentId, token, requestContext));
      if (proved?.identity !== undefined) return proved.identity;
    }
    return undefined;
  }

  /** Updates the lists that an agent is in. */
  async #index(before: AgentRecord | undefined, after: AgentRecord | undefined): Promise<void> {
    const old = before === undefined ? new Map() : listsOf(before);
    const fresh = after === undefined ? new Map() : listsOf(after);
    const stale = [...old].filter(([namespace, key]) => fresh.get(namespace) !== key);
    const added = [...fresh].filter(([namespace, key]) => old.get(namespace) !== key);
    await Promise.all([
      ...stale.map(([namespace, key]) => this.#store.deleteRecord(namespace, key)),
      ...added.map(([namespace, key]) => this.#store.putRecord(namespace, key, '')),
    ]);
  }
}

/** Which part of a list of agents to read. */
export interface AgentPage {
  readonly limit: number;
  /** Id of the last agent on the previous page. */
  readonly after: string | undefined;
}

export interface ListedAgents {
  readonly agents: readonly AgentRecord[];
  /** Where the next page begins; undefined on the last one. */
  readonly next: string | undefined;
}

/** The namespaces of the lists that an agent is in, and its key in each. */
function listsOf({
  agentId,
  controllerId,
  registeredBy,
  blocked,
  deleted,
}: AgentRecord): Map<string, string> {
  const lists = new Map<string, string>();
  // A deleted agent keeps its controller, who can still hand its tasks over, but is no longer in the fleet.
  if (controllerId !== undefined && deleted === undefined)
    lists.set(CONTROLLED, `${controllerId}/${agentId}`);
  if (registeredBy !== undefined) lists.set(REGISTERED, `${hashSecret(registeredBy)}/${agentId}`);
  if (blocked !== undefined) lists.set(BLOCKED_AGENTS, agentId);
  return lists;
}

function idOf(found: Identification): string | undefined {
  return found.identity === undefined ? found.agentId : found.identity.agentId;
}

/** The credential of a request, apart from the agent's token. */
export type CallerCredential = Pick<HubRequestContext, 'callerKey' | 'isOperator'>;

function belongsToAnother(
  { registeredBy }: AgentRecord,
  { callerKey, isOperator }: CallerCredential,
): boolean {
  return registeredBy !== undefined && callerKey !== undefined && !isOperator && callerKey !== registeredBy;
}

function encode(agent: AgentRecord): string {
  return JSON.stringify(agent);
}

/** Only this file writes the records, so their shape is known. */
function decode(value: string): AgentRecord {
  return JSON.parse(value) as AgentRecord;
}

/** Why a caller could not be authenticated as an agent. */
export type IdentityRejection =
  | 'missing_agent_id'
  | 'credential_not_registered'
  | 'missing_token'
  | 'invalid_token'
  | 'agent_blocked'
  | 'agent_deleted';

const MESSAGES: Readonly<Record<IdentityRejection, string>> = {
  missing_agent_id: 'The request has an agent token but no agent id.',
  credential_not_registered: 'This agent is not registered.',
  missing_token: 'The agent token is missing.',
  invalid_token: 'The agent token is invalid.',
  agent_blocked: 'This agent is blocked.',
  agent_deleted: 'This agent was deleted.',
};

const HINTS: Readonly<Record<IdentityRejection, string>> = {
  missing_agent_id: 'Send x-delx-agent-id together with x-delx-agent-token.',
  credential_not_registered: 'Call agents/register once with this agent_id and store the token it returns.',
  missing_token:
    'Send the token from agents/register as x-delx-agent-token. If it is lost, ask the operator to rotate it.',
  invalid_token: 'Send the token that agents/register or the last rotation returned as x-delx-agent-token.',
  agent_blocked: 'Ask the owner of the agent, or an operator of this hub, to unblock it with agents/unblock.',
  agent_deleted: 'Its owner or an operator can register the name again with agents/register.',
};

export function identityError(reason: IdentityRejection): HubError {
  return new HubError('DELX-A2A-1401', MESSAGES[reason], { hint: HINTS[reason], details: { reason } });
}

/** Rejects an agent that was blocked or deleted, where an unknown caller would be answered. */
export function requireMayAct(found: Identification): void {
  if (found.identity !== undefined) return;
  if (found.rejection === 'agent_blocked' || found.rejection === 'agent_deleted')
    throw identityError(found.rejection);
}

function noStableAgent(): HubError {
  return new HubError('DELX-A2A-1005', 'A stable agent_id is required.', {
    hint: 'Call agents/register once, then send x-delx-agent-id and x-delx-agent-token with every request.',
    details: { reason: 'missing_agent_id' },
  });
}
