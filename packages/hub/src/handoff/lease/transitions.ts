import {
  holderOf,
  statusOf,
  type Handoff,
  type Lease,
  type HandoffRejection,
  type TaskMoment,
} from './handoff.ts';

/** A claim must be acknowledged or used within this time. */
const ACKNOWLEDGE_SECONDS = 120;
const MAX_REJECTIONS = 20;

/** The state at the time of a change. */
export interface Moment {
  readonly task: TaskMoment;
  readonly now: number;
}

export type ClaimOutcome =
  | { readonly handoff: Handoff; readonly lease: Lease }
  | { readonly rejected: 'taken'; readonly until: number }
  | { readonly rejected: 'withdrawn' | 'declined' | 'finished' | 'expired' };

/** Grants the lease if it is free. The holder can claim again if the answer was lost; that invalidates the old token. */
export function claim(
  handoff: Handoff,
  agentId: string,
  tokenHash: string,
  { task, now }: Moment,
): ClaimOutcome {
  const holder = holderOf(handoff, task, now);
  if (holder !== undefined && holder.agentId !== agentId && handoff.closed === undefined)
    return { rejected: 'taken', until: holder.until };
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
  const { lease: _lease, ...rest } = handoff;
  return withRejection(rest, { agentId: lease.agentId, at: now, kind: 'released', reason });
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
