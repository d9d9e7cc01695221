import type { TaskHeader } from '@holdword/store';
import { type AgentRecord, controllerOf } from '../identity/identity.ts';
import type { HandoffServices } from './handoff-services.ts';
import type { Addressee, Handoff, OfferedBy } from './lease/handoff.ts';
import type { OfferOutcome } from './lease/handoffs.ts';

export const DEFAULT_OFFER_SECONDS = 24 * 3_600;
export const DEFAULT_LEASE_SECONDS = 600;

export interface Offer {
  readonly header: TaskHeader;
  /** The owner of the task. */
  readonly agent: AgentRecord;
  readonly offeredBy: OfferedBy;
  readonly to: Addressee;
  readonly note?: string;
  readonly offerSeconds?: number;
  readonly leaseSeconds?: number;
}

/** Offers a task, unless it is already offered or handed over. */
export function offerTask({ handoffs, context }: HandoffServices, offer: Offer): Promise<OfferOutcome> {
  const { header, agent, offeredBy, to, note } = offer;
  const { offerSeconds = DEFAULT_OFFER_SECONDS, leaseSeconds = DEFAULT_LEASE_SECONDS } = offer;
  const controllerId = controllerOf(agent);
  return handoffs.offer({
    taskId: header.taskId,
    contextId: header.contextId,
    agentId: agent.agentId,
    ...(controllerId !== undefined && { controllerId }),
    offeredBy,
    to,
    ...(note !== undefined && { note }),
    expiresAt: context.now() + offerSeconds * 1_000,
    leaseSeconds,
  });
}

/** The new or existing hand-off; undefined if the task no longer exists. */
export function handoffOf(outcome: OfferOutcome): Handoff | undefined {
  if ('handoff' in outcome) return outcome.handoff;
  return 'existing' in outcome ? outcome.existing : undefined;
}
