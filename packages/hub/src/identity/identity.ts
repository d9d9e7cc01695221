import type { Owner } from '@holdword/runtime';

/** An agent as the hub knows it. */
export interface AgentRecord {
  readonly agentId: string;
  readonly agentName: string;
  /** Declared by the agent and meant to stay, or made up for one that named none. */
  readonly mode: 'stable_declared' | 'ephemeral_hospitality';
  /** SHA-256 of the token; the token itself is kept nowhere. */
  readonly tokenHash: string;
  /** Enough of the token to recognise it by. */
  readonly tokenPreview: string;
  /** Milliseconds since the epoch. */
  readonly firstSeenAt: number;
  readonly source?: string;
  readonly controllerId?: string;
  /** The controller, or the operator, has agreed to it: the agent did not merely say so. */
  readonly controllerProved?: boolean;
  readonly contextId?: string;
  readonly refAgentId?: string;
  readonly referralChannel?: string;
  /** What the agent says it can do, for hand-offs to a skill. */
  readonly skills?: readonly string[];
}

/** An agent that has proved who it is. */
export interface Identity {
  readonly agentId: string;
  readonly agent: AgentRecord;
  /** Whose tasks it sees. */
  readonly owner: Owner;
}

const AGENT_CALLER = 'agent:';

/** The owner of the tasks of an agent (J9). */
export function ownerOfAgent(agentId: string): Owner {
  return { tenant: '', caller: `${AGENT_CALLER}${agentId}`, authenticated: true };
}

/** The agent whose tasks these are; undefined for tasks of other callers. */
export function agentOfOwner({ tenant, caller, authenticated }: Owner): string | undefined {
  if (!authenticated || tenant !== '' || !caller.startsWith(AGENT_CALLER)) return undefined;
  return caller.slice(AGENT_CALLER.length);
}
