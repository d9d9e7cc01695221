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
  /** The one that counted for the task before. */
  readonly previousId?: string;
  /** The task that goes on where the offered one had failed. */
  readonly continuedAs?: string;
  /** The newest, and how many there were. */
  readonly rejections: readonly HandoffRejection[];
  readonly rejectionCount: number;
}

/** The right to go on with the task, of one agent at a time. */
export interface Lease {
  readonly agentId: string;
  /** SHA-256 of the token; the token itself is kept nowhere. */
  readonly tokenHash: string;
  readonly claimedAt: number;
  readonly until: number;
  readonly acknowledgedAt?: number;
  /** The last event of the task before the holder's newest message to it. */
  readonly usedAfter?: number;
}

/** Why an agent is not, or no longer, the successor: for whoever offered. */
export interface HandoffRejection {
  readonly agentId: string;
  readonly at: number;
  readonly kind: 'late' | 'declined' | 'released' | 'lease-lost';
  readonly reason: string;
}

export type HandoffStatus =
  'offered' | 'claimed' | 'acknowledged' | 'withdrawn' | 'declined' | 'finished' | 'expired';

/** What counts of the task at this moment. */
export interface TaskMoment {
  /** Nothing is left to go on with. */
  readonly isDone: boolean;
  /** The task has been offered anew: this hand-off is over. */
  readonly isSuperseded: boolean;
  readonly lastSequence: number;
  /** What became of the turn that the holder began; absent before one, and while the lease has time left anyway. */
  readonly ownTurn?: OwnTurn | undefined;
}

export type OwnTurn = { readonly inWork: true } | { readonly inWork: false; readonly endedAt: number };

/** The agent that may go on now. A lease lasts as long as a turn that its holder began, and its time after that. */
export function holderOf({ lease, leaseSeconds }: Handoff, task: TaskMoment, now: number): Lease | undefined {
  if (lease === undefined || task.isDone || task.isSuperseded) return undefined;
  if (lease.until > now) return lease;
  const { ownTurn } = task;
  if (ownTurn === undefined) return undefined;
  const until = (ownTurn.inWork ? now : ownTurn.endedAt) + leaseSeconds * 1_000;
  return until > now ? { ...lease, until } : undefined;
}

export function statusOf(handoff: Handoff, task: TaskMoment, now: number): HandoffStatus {
  if (handoff.closed !== undefined) return handoff.closed;
  if (task.isDone) return 'finished';
  const holder = holderOf(handoff, task, now);
  if (holder !== undefined) return holder.acknowledgedAt === undefined ? 'claimed' : 'acknowledged';
  return handoff.expiresAt > now && !task.isSuperseded ? 'offered' : 'expired';
}

/** Somebody has the task, or may still claim it: it cannot be offered a second time. */
export function isLive(handoff: Handoff, task: TaskMoment, now: number): boolean {
  return ['offered', 'claimed', 'acknowledged'].includes(statusOf(handoff, task, now));
}
