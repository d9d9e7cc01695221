import type { JsonObject } from '@holdword/protocol';
import type { AgentRecord } from '../identity/identity.ts';
import { isoTime } from '../wire/times.ts';
import { mayClaim, mayManage, type HandoffServices } from './handoff-access.ts';
import {
  holderOf,
  statusOf,
  type Addressee,
  type Handoff,
  type HandoffRejection,
  type Lease,
  type Moment,
} from './handoff.ts';

/** The current state of a hand-off, as the agent sees it. */
export async function viewNow(
  { handoffs, context }: HandoffServices,
  handoff: Handoff,
  viewer: AgentRecord,
): Promise<JsonObject> {
  return handoffView(handoff, viewer, { task: await handoffs.momentOf(handoff), now: context.now() });
}

/** A hand-off with its JSON field names, limited to what the agent can see. */
function handoffView(handoff: Handoff, viewer: AgentRecord, moment: Moment): JsonObject {
  const { refusals, refusal_count, ...fields } = handoffFields(handoff, moment);
  return {
    ...fields,
    may_claim: mayClaim(handoff, viewer),
    ...(mayManage(handoff, viewer) && { refusals, refusal_count }),
  };
}

/** All of a hand-off, with its JSON field names. */
export function handoffFields(handoff: Handoff, { task, now }: Moment) {
  const holder = holderOf(handoff, task, now);
  const { offeredBy } = handoff;
  return {
    handoff_id: handoff.handoffId,
    status: statusOf(handoff, task, now),
    kind: handoff.reported === true ? ('report' as const) : ('task' as const),
    task_id: handoff.taskId,
    continued_as: handoff.continuedAs ?? null,
    session_id: handoff.contextId,
    agent_id: handoff.agentId,
    controller_id: handoff.controllerId ?? null,
    offered_by: offeredBy.kind === 'hub' ? 'hub' : offeredBy.id,
    offered_to: addresseeView(handoff.to),
    note: handoff.note ?? null,
    created_at: isoTime(handoff.createdAt),
    expires_at: isoTime(handoff.expiresAt),
    lease_seconds: handoff.leaseSeconds,
    lease: holder === undefined ? null : leaseView(holder),
    refusals: handoff.rejections.map(rejectionView),
    refusal_count: handoff.rejectionCount,
  };
}

function addresseeView(to: Addressee): Record<string, string> {
  if (to.kind === 'agent') return { agent_id: to.agentId };
  return to.kind === 'skill' ? { skill: to.skill } : { anyone_of: 'controller' };
}

function leaseView({ agentId, claimedAt, until, acknowledgedAt }: Lease) {
  return {
    agent_id: agentId,
    claimed_at: isoTime(claimedAt),
    until: isoTime(until),
    acknowledged_at: acknowledgedAt === undefined ? null : isoTime(acknowledgedAt),
  };
}

function rejectionView({ agentId, at, kind, reason }: HandoffRejection) {
  return { agent_id: agentId, at: isoTime(at), kind, reason };
}
