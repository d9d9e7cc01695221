import type { JsonObject } from '@holdword/protocol';
import { isSecretOf } from '@holdword/runtime/internal';
import type { Store } from '@holdword/store';
import type { HubRequestContext } from '../hub-part.ts';
import { declaredSessionIds } from '../sessions/declared-sessions.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { agentToken, declaredAgentId, programAgentId } from './declared-agent.ts';
import { identityError, noStableAgent, type IdentityRejection } from './identity-rejection.ts';
import { ownerOfAgent, type AgentRecord, type Identity } from './identity.ts';

const AGENTS = 'hub-agents';
const CONTROLLED = 'hub-controlled-agents';

/** What a request says of who sends it: an agent that has proved it, or one that is merely named. */
export type Identification =
  | { readonly identity: Identity }
  | { readonly identity?: undefined; readonly agentId?: string; readonly rejection: IdentityRejection };

/**
 * The agents of a hub.
 *
 * Responsible for who they are and whether a caller is one of them: tokens are kept as hashes, an agent that has one
 * always needs it, and a name is given away once. Leaves making tokens to `agents/register`, sessions to Sessions.
 */
export class Identities {
  readonly #store: Store;
  readonly #sessions: Pick<Sessions, 'find'>;

  constructor(store: Store, sessions: Pick<Sessions, 'find'>) {
    this.#store = store;
    this.#sessions = sessions;
  }

  async find(agentId: string): Promise<AgentRecord | undefined> {
    const value = await this.#store.getRecord(AGENTS, agentId);
    return value === undefined ? undefined : decode(value);
  }

  /** Adds an agent; false when the name is taken. */
  async add(agent: AgentRecord): Promise<boolean> {
    if (!(await this.#store.replaceRecord(AGENTS, agent.agentId, undefined, encode(agent)))) return false;
    await this.#noteController(agent);
    return true;
  }

  /** Puts the changed agent in place of the one that was read; false when somebody else has changed it since. */
  async replace(before: AgentRecord, after: AgentRecord): Promise<boolean> {
    if (encode(before) === encode(after)) return true;
    const replaced = await this.#store.replaceRecord(AGENTS, before.agentId, encode(before), encode(after));
    if (!replaced || before.controllerId === after.controllerId) return replaced;
    if (before.controllerId !== undefined)
      await this.#store.deleteRecord(CONTROLLED, `${before.controllerId}/${before.agentId}`);
    await this.#noteController(after);
    return true;
  }

  /** Agents that name this controller, page by page in the order of their ids. */
  async ofController(controllerId: string, page: { limit: number; after?: string }): Promise<AgentRecord[]> {
    const prefix = `${controllerId}/`;
    const records = await this.#store.listRecords(CONTROLLED, prefix, {
      limit: page.limit,
      ...(page.after !== undefined && { after: `${prefix}${page.after}` }),
    });
    const agents = await Promise.all(records.map(({ key }) => this.find(key.slice(prefix.length))));
    return agents.flatMap((agent) => (agent?.controllerId === controllerId ? [agent] : []));
  }

  /** The agent whose name and token the request carries; refused otherwise. */
  async require(requestContext: HubRequestContext, params: JsonObject): Promise<Identity> {
    const found = await this.identify(requestContext, params);
    if (found.identity !== undefined) return found.identity;
    if (found.rejection === 'missing_agent_id' && agentToken(requestContext.headers) === undefined)
      throw noStableAgent();
    throw identityError(found.rejection);
  }

  /**
   * Who sends the request. An agent that is not named is the owner of the session that is, if the token is that
   * owner's: otherwise the session stays as unknown as one that does not exist.
   */
  async identify(requestContext: HubRequestContext, params: JsonObject): Promise<Identification> {
    const token = agentToken(requestContext.headers);
    const agentId = declaredAgentId(requestContext.headers, params);
    if (agentId === undefined) {
      const owner = token === undefined ? undefined : await this.#sessionOwner(requestContext, params, token);
      if (owner !== undefined) return { identity: owner };
    }
    const named = agentId ?? programAgentId(requestContext.headers);
    return named === undefined ? { rejection: 'missing_agent_id' } : this.prove(named, token);
  }

  /** Whether the token is that of the agent. */
  async prove(agentId: string, token: string | undefined): Promise<Identification> {
    const agent = await this.find(agentId);
    if (agent === undefined) return { agentId, rejection: 'credential_not_registered' };
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
      const proved = session && (await this.prove(session.agentId, token));
      if (proved?.identity !== undefined) return proved.identity;
    }
    return undefined;
  }

  async #noteController({ agentId, controllerId }: AgentRecord): Promise<void> {
    if (controllerId !== undefined) await this.#store.putRecord(CONTROLLED, `${controllerId}/${agentId}`, '');
  }
}

function encode(agent: AgentRecord): string {
  return JSON.stringify(agent);
}

/** Written by this file alone, so its shape is known. */
function decode(value: string): AgentRecord {
  return JSON.parse(value) as AgentRecord;
}
