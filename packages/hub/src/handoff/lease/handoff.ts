/** Who may claim a hand-off. */
export type Addressee =
  | { readonly kind: 'agent'; readonly agentId: string }
  /** Agents of the controller that have this skill. */
  | { readonly kind: 'skill'; readonly skill: string }
  /** Any agent of the controller. */
  | { readonly kind: 'controller' };

/** The agent itself, its controller, or the hub, which has noticed that the agent is gone. */
export type OfferedBy =
  { readonly kind: 'agent' | 'controller'; readonly id: string } | { readonly kind: 'hub' };

/** A task that is offered to a successor. Times are milliseconds since the epoch. */
export interface Handoff {
  readonly handoffId: string;
  readonly taskId: string;
  readonly contextId: string;
  /** Whose task it is, and stays. */
  readonly agentId: string;
  readonly controllerId?: string;
  readonly offeredBy: OfferedBy;
  readonly to: Addressee;
  readonly note?: string;
  readonly createdAt: number;
  /** Until when it can be claimed. */
  readonly expiresAt: number;
  readonly leaseSeconds: number;
  readonly closed?: 'withdrawn' | 'declined';
  readonly lease?: Lease;
  /** The task that goes on where the offered one had failed. */
  readonly continuedAs?: string;
  /** The newest, and how many there were. */
  readonly refusals: readonly Refusal[];
  readonly refusalCount: number;
}

/** The right to go on with the task, of one agent at a time. */
export interface Lease {
  readonly agentId: string;
  /** SHA-256 of the token; the token itself is kept nowhere. */
  readonly tokenHash: string;
  readonly claimedAt: number;
  readonly until: number;
  readonly acknowledgedAt?: number;
  /** When the holder first turned to the task. */
  readonly usedAt?: number;
}

/** Why an agent is not, or no longer, the successor: for whoever offered. */
export interface Refusal {
  readonly agentId: string;
  readonly at: number;
  readonly kind: 'late' | 'declined' | 'released' | 'lease-lost';
  readonly reason: string;
}

export type HandoffStatus =
  'offered' | 'claimed' | 'acknowledged' | 'withdrawn' | 'declined' | 'finished' | 'expired';

/** What counts of the task: its state and since when it has been in it. */
export interface TaskMoment {
  readonly inWork: boolean;
  /** Nothing is left to go on with. */
  readonly isDone: boolean;
  readonly since: number;
}

/** The agent that may go on now. A lease lasts as long as a turn that its holder began, and its time after that. */
export function holderOf({ lease, leaseSeconds }: Handoff, task: TaskMoment, now: number): Lease | undefined {
  if (lease === undefined || task.isDone) return undefined;
  const ownTurn = lease.usedAt !== undefined && task.since >= lease.usedAt;
  if (ownTurn && task.inWork) return lease;
  const until = ownTurn ? Math.max(lease.until, task.since + leaseSeconds * 1_000) : lease.until;
  return until > now ? { ...lease, until } : undefined;
}

export function statusOf(handoff: Handoff, task: TaskMoment, now: number): HandoffStatus {
  if (handoff.closed !== undefined) return handoff.closed;
  if (task.isDone) return 'finished';
  const holder = holderOf(handoff, task, now);
  if (holder !== undefined) return holder.acknowledgedAt === undefined ? 'claimed' : 'acknowledged';
  return handoff.expiresAt > now ? 'offered' : 'expired';
}

/** Somebody has the task, or may still claim it: it cannot be offered a second time. */
export function isLive(handoff: Handoff, task: TaskMoment, now: number): boolean {
  return ['offered', 'claimed', 'acknowledged'].includes(statusOf(handoff, task, now));
}
