import type { JsonObject } from '@holdword/protocol';
import { isSecretOf } from '@holdword/runtime/internal';
import type { Store } from '@holdword/store';
import { declaredSessionIds } from '../sessions/declared-sessions.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { HubError } from '../wire/hub-error.ts';
import type { HubRequestContext } from '../wire/request-context.ts';
import { agentToken, declaredAgentId, programAgentId } from './declared-agent.ts';
import { ownerOfAgent, type AgentRecord, type Identity } from './identity.ts';

const AGENTS = 'hub-agents';
const CONTROLLED = 'hub-controlled-agents';

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

  /** Adds an agent; returns false if the id is taken. */
  async add(agent: AgentRecord): Promise<boolean> {
    if (!(await this.#store.replaceRecord(AGENTS, agent.agentId, undefined, encode(agent)))) return false;
    await this.#indexController(agent);
    return true;
  }

  /** Replaces the agent that was read; returns false if it was changed concurrently. */
  async replace(before: AgentRecord, after: AgentRecord): Promise<boolean> {
    if (encode(before) === encode(after)) return true;
    const replaced = await this.#store.replaceRecord(AGENTS, before.agentId, encode(before), encode(after));
    if (!replaced || before.controllerId === after.controllerId) return replaced;
    if (before.controllerId !== undefined)
      await this.#store.deleteRecord(CONTROLLED, `${before.controllerId}/${before.agentId}`);
    await this.#indexController(after);
    return true;
  }

  /** One page of the agents that declare this controller, ordered by id. */
  async ofController(
    controllerId: string,
    page: { limit: number; after: string | undefined },
  ): Promise<AgentRecord[]> {
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
    if (token === undefined) return { agentId, rejection: 'missing_token' };
    if (!isSecretOf(token, agent.tokenHash)) return { agentId, rejection: 'invalid_token' };
    return { identity: { agentId, agent, owner: ownerOfAgent(agentId) } };
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

  async #indexController({ agentId, controllerId }: AgentRecord): Promise<void> {
    if (controllerId !== undefined) await this.#store.putRecord(CONTROLLED, `${controllerId}/${agentId}`, '');
  }
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
  'missing_agent_id' | 'credential_not_registered' | 'missing_token' | 'invalid_token';

const MESSAGES: Readonly<Record<IdentityRejection, string>> = {
  missing_agent_id: 'The request has an agent token but no agent id.',
  credential_not_registered: 'This agent is not registered.',
  missing_token: 'The agent token is missing.',
  invalid_token: 'The agent token is invalid.',
};

const HINTS: Readonly<Record<IdentityRejection, string>> = {
  missing_agent_id: 'Send x-delx-agent-id together with x-delx-agent-token.',
  credential_not_registered: 'Call agents/register once with this agent_id and store the token it returns.',
  missing_token:
    'Send the token from agents/register as x-delx-agent-token. If it is lost, ask the operator to rotate it.',
  invalid_token: 'Send the token that agents/register or the last rotation returned as x-delx-agent-token.',
};

export function identityError(reason: IdentityRejection): HubError {
  return new HubError('DELX-A2A-1401', MESSAGES[reason], { hint: HINTS[reason], details: { reason } });
}

function noStableAgent(): HubError {
  return new HubError('DELX-A2A-1005', 'A stable agent_id is required.', {
    hint: 'Call agents/register once, then send x-delx-agent-id and x-delx-agent-token with every request.',
    details: { reason: 'missing_agent_id' },
  });
}
