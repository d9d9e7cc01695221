/**
 * One hand-off and how it changes: who holds the lease, and what claiming, acknowledging, using and releasing do to it.
 *
 * Pure: each function returns the new hand-off. Leaves storing it, and with that deciding which of two claims wins, to
 * Handoffs, and who may ask for a change to the methods.
 */
import type { TaskState } from '@holdword/protocol';

/** A claim must be acknowledged or used within this time. */
const ACKNOWLEDGE_SECONDS = 120;
const MAX_REJECTIONS = 20;

/** An offer of a task to a successor. Times are in milliseconds since the epoch. */
export interface Handoff {
  readonly handoffId: string;
  readonly taskId: string;
  readonly contextId: string;
  /** The owner of the task, which does not change. */
  readonly agentId: string;
  readonly controllerId?: string | undefined;
  readonly offeredBy: OfferedBy;
  readonly to: Addressee;
  readonly note?: string | undefined;
  readonly createdAt: number;
  /** When the offer expires. */
  readonly expiresAt: number;
  readonly leaseSeconds: number;
  /**
   * Set if the work is what the agent reported in its session. `taskId` is then the task that reported last, which may have
   * ended; the work is finished when its holder says so.
   */
  readonly reported?: true | undefined;
  readonly closed?: 'withdrawn' | 'declined' | 'finished';
  readonly closedAt?: number;
  readonly lease?: Lease | undefined;
  /** The previous hand-off of the task. */
  readonly previousId?: string;
  /** The new task that continues the offered one, if that failed. */
  readonly continuedAs?: string;
  /** The newest rejections, and the total number. */
  readonly rejections: readonly HandoffRejection[];
  readonly rejectionCount: number;
}

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

/** The state at the time of a change. */
export interface Moment {
  readonly task: TaskMoment;
  readonly now: number;
}

export type OwnTurn = { readonly inWork: true } | { readonly inWork: false; readonly endedAt: number };

/**
 * The current lease. A lease lasts through a turn that its holder started, and for its full duration afterwards; it ends when
 * the hand-off is closed.
 */
export function holderOf(handoff: Handoff, task: TaskMoment, now: number): Lease | undefined {
  const { lease, leaseSeconds, closed } = handoff;
  if (lease === undefined || closed !== undefined || task.isDone || task.isSuperseded) return undefined;
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

export type ClaimOutcome =
  | { readonly handoff: Handoff; readonly lease: Lease }
  | { readonly rejected: 'taken'; readonly until: number }
  | { readonly rejected: 'withdrawn' | 'declined' | 'finished' | 'expired' };

/** When something about the hand-off changed last, as far as its record tells. */
export function lastChangeOf({ createdAt, expiresAt, closedAt, lease, rejections }: Handoff): number {
  const latest = Math.max(createdAt, lease?.until ?? 0, rejections.at(-1)?.at ?? 0);
  return closedAt ?? Math.max(latest, lease === undefined ? expiresAt : 0);
}

/** Grants the lease if it is free. The holder can claim again if the answer was lost; that invalidates the old token. */
export function claim(
  handoff: Handoff,
  agentId: string,
  tokenHash: string,
  { task, now }: Moment,
): ClaimOutcome {
  const holder = holderOf(handoff, task, now);
  if (holder !== undefined && holder.agentId !== agentId) return { rejected: 'taken', until: holder.until };
  const status = statusOf(handoff, task, now);
  if (status !== 'offered' && status !== 'claimed' && status !== 'acknowledged') return { rejected: status };
  const seconds = Math.min(ACKNOWLEDGE_SECONDS, handoff.leaseSeconds);
  const lease: Lease = { agentId, tokenHash, claimedAt: now, until: now + seconds * 1_000 };
  const lost = handoff.lease !== undefined && holder === undefined ? handoff.lease : undefined;
  const before = lost === undefined ? handoff : withRejection(handoff, leaseLost(lost, now));
  return { lease, handoff: { ...before, lease } };
}

/** The holder accepts the task: the lease is renewed for its full duration. */
export function acknowledge(handoff: Handoff, lease: Lease, { now }: Moment): Handoff {
  return renewed(handoff, { ...lease, acknowledgedAt: lease.acknowledgedAt ?? now }, now);
}

/** The holder sends a message to the task, which implies an acknowledgement. */
export function use(handoff: Handoff, lease: Lease, moment: Moment): Handoff {
  return acknowledge(handoff, { ...lease, usedAfter: moment.task.lastSequence }, moment);
}

/** The holder releases the lease; others can claim the task. */
export function release(handoff: Handoff, lease: Lease, reason: string, now: number): Handoff {
  return withRejection(
    { ...handoff, lease: undefined },
    { agentId: lease.agentId, at: now, kind: 'released', reason },
  );
}

/**
 * Ends what an agent that can no longer act does in a hand-off: its lease is released, an offer to it alone is declined, and
 * an offer that it made and that nobody holds is withdrawn. Undefined if there is nothing to end. A task that a successor
 * holds stays with the successor.
 */
export function endFor(
  handoff: Handoff,
  agentId: string,
  reason: string,
  { task, now }: Moment,
): Handoff | undefined {
  if (handoff.closed !== undefined) return undefined;
  const holder = holderOf(handoff, task, now);
  const isAddressee = handoff.to.kind === 'agent' && handoff.to.agentId === agentId;
  if (holder?.agentId === agentId) {
    const released = release(handoff, holder, reason, now);
    return isAddressee ? { ...released, closed: 'declined' } : released;
  }
  if (holder !== undefined) return undefined;
  if (isAddressee) {
    return { ...withRejection(handoff, { agentId, at: now, kind: 'declined', reason }), closed: 'declined' };
  }
  const isOwnOffer = handoff.agentId === agentId && handoff.offeredBy.kind === 'agent';
  return isOwnOffer ? { ...handoff, closed: 'withdrawn' } : undefined;
}

/** Records a rejection for the owner of the task. */
export function withRejection(handoff: Handoff, rejection: HandoffRejection): Handoff {
  return {
    ...handoff,
    rejections: [...handoff.rejections, rejection].slice(-MAX_REJECTIONS),
    rejectionCount: handoff.rejectionCount + 1,
  };
}

function renewed(handoff: Handoff, lease: Lease, now: number): Handoff {
  return { ...handoff, lease: { ...lease, until: now + handoff.leaseSeconds * 1_000 } };
}

function leaseLost({ agentId }: Lease, at: number): HandoffRejection {
  return { agentId, at, kind: 'lease-lost', reason: 'The lease expired without any activity of its holder.' };
}

const DONE: ReadonlySet<TaskState> = new Set([
  'TASK_STATE_COMPLETED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_REJECTED',
]);

/** Whether a successor can continue: the task has not ended, or it has failed and a new task can replace it. */
export function isUnfinished(state: TaskState): boolean {
  return !DONE.has(state);
}
