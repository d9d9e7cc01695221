/** Who can claim a hand-off. */
export type Addressee =
  | { readonly kind: 'agent'; readonly agentId: string }
  /** Agents of the controller that have this skill. */
  | { readonly kind: 'skill'; readonly skill: string }
  /** Any agent of the controller. */
  | { readonly kind: 'controller' };

/** The agent itself, its controller, or the hub if the agent is missing. */
export type OfferedBy =
  { readonly kind: 'agent' | 'controller'; readonly id: string } | { readonly kind: 'hub' };

/** An offer of a task to a successor. Times are in milliseconds since the epoch. */
export interface Handoff {
  readonly handoffId: string;
  readonly taskId: string;
  readonly contextId: string;
  /** The owner of the task, which does not change. */
  readonly agentId: string;
  readonly controllerId?: string;
  readonly offeredBy: OfferedBy;
  readonly to: Addressee;
  readonly note?: string;
  readonly createdAt: number;
  /** When the offer expires. */
  readonly expiresAt: number;
  readonly leaseSeconds: number;
  readonly closed?: 'withdrawn' | 'declined';
  readonly lease?: Lease;
  /** The previous hand-off of the task. */
  readonly previousId?: string;
  /** The new task that continues the offered one, if that failed. */
  readonly continuedAs?: string;
  /** The newest rejections, and the total number. */
  readonly rejections: readonly HandoffRejection[];
  readonly rejectionCount: number;
}

/** The exclusive right of one agent to continue the task. */
export interface Lease {
  readonly agentId: string;
  /** SHA-256 of the token; the token itself is not stored. */
  readonly tokenHash: string;
  readonly claimedAt: number;
  readonly until: number;
  readonly acknowledgedAt?: number;
  /** Sequence number of the last event before the holder's newest message. */
  readonly usedAfter?: number;
}

/** Why an agent did not become, or is no longer, the successor. */
export interface HandoffRejection {
  readonly agentId: string;
  readonly at: number;
  readonly kind: 'late' | 'declined' | 'released' | 'lease-lost';
  readonly reason: string;
}

export type HandoffStatus =
  'offered' | 'claimed' | 'acknowledged' | 'withdrawn' | 'declined' | 'finished' | 'expired';

/** The current state of the task, as far as it matters to the hand-off. */
export interface TaskMoment {
  /** There is nothing left to continue. */
  readonly isDone: boolean;
  /** The task has been offered again, so this hand-off is over. */
  readonly isSuperseded: boolean;
  readonly lastSequence: number;
  /** The turn that the holder started; absent before it starts one and while the lease has not expired. */
  readonly ownTurn?: OwnTurn | undefined;
}

export type OwnTurn = { readonly inWork: true } | { readonly inWork: false; readonly endedAt: number };

/** The current lease. A lease lasts through a turn that its holder started, and for its full duration afterwards. */
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

/** Whether an agent holds the task or can still claim it; then the task cannot be offered again. */
export function isLive(handoff: Handoff, task: TaskMoment, now: number): boolean {
  return ['offered', 'claimed', 'acknowledged'].includes(statusOf(handoff, task, now));
}
