import type { JsonObject } from '@holdword/protocol';
import type { Owner } from '@holdword/runtime';

/** A registered agent. */
export interface AgentRecord {
  readonly agentId: string;
  readonly agentName: string;
  /** Whether the agent declared its id or the hub generated one. */
  readonly mode: 'stable_declared' | 'ephemeral_hospitality';
  /** SHA-256 of the token; the token itself is not stored. */
  readonly tokenHash: string;
  /** The first characters of the token, to recognize it by. */
  readonly tokenPreview: string;
  /** Milliseconds since the epoch. */
  readonly firstSeenAt: number;
  /** Tenant and caller that registered it, as the store keeps them; undefined if no credential was sent. */
  readonly registeredBy?: string;
  readonly source?: string;
  readonly controllerId?: string;
  /** Whether the controller or the operator confirmed the controller; otherwise the agent only declared it. */
  readonly controllerProved?: boolean;
  readonly contextId?: string;
  readonly refAgentId?: string;
  readonly referralChannel?: string;
  /** Declared skills, for hand-offs that require a skill. */
  readonly skills?: readonly string[];
  /** Set while the agent is blocked: its token is refused. */
  readonly blocked?: AgentMark;
  /** Set once the agent was deleted. The record stays, because the tasks of the agent belong to its name. */
  readonly deleted?: AgentMark;
}

/** When an agent was blocked or deleted, by whom and why. */
export interface AgentMark {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Tenant and caller that did it, as the store keeps them; undefined for the agent itself and the command line. */
  readonly by?: string;
  /** Whether an operator did it. A block by an operator is lifted by an operator only. */
  readonly byOperator: boolean;
  readonly reason?: string;
}

/** Whether the agent can act: it is neither blocked nor deleted. */
export function mayAct({ blocked, deleted }: AgentRecord): boolean {
  return blocked === undefined && deleted === undefined;
}

/** An authenticated agent. */
export interface Identity {
  readonly agentId: string;
  readonly agent: AgentRecord;
  /** The owner of the tasks that the agent can see. */
  readonly owner: Owner;
}

/** The confirmed controller of an agent; undefined if the agent only declared it. */
export function controllerOf({ controllerId, controllerProved }: AgentRecord): string | undefined {
  return controllerProved === true ? controllerId : undefined;
}

const AGENT_CALLER = 'agent:';

/** The owner of an agent's tasks (J9). */
export function ownerOfAgent(agentId: string): Owner {
  return { tenant: '', caller: `${AGENT_CALLER}${agentId}`, authenticated: true };
}

/** The agent that owns the tasks; undefined if the owner is not an agent of the hub. */
export function agentOfOwner({ tenant, caller, authenticated }: Owner): string | undefined {
  if (!authenticated || tenant !== '' || !caller.startsWith(AGENT_CALLER)) return undefined;
  return caller.slice(AGENT_CALLER.length);
}

export function registrationFields({ agentId, mode }: AgentRecord, isNew: boolean): JsonObject {
  return { agent_id: agentId, registered: true, newly_registered: isNew, mode };
}

/** A notice for agents with an ephemeral identity and for callers that could not be authenticated. */
export function identityNotice(message: string, hint: string): JsonObject {
  return { code: 'DELX-IDENTITY-WARN-TRANSITION', message, hint };
}

export function ephemeralNotice({ mode }: AgentRecord): JsonObject | null {
  if (mode === 'stable_declared') return null;
  return identityNotice(
    'This agent uses an id that the hub generated.',
    'Register with your own agent_id and send it with every request.',
  );
}
