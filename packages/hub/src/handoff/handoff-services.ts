import type { JsonObject } from '@holdword/protocol';
import type { HubContext } from '../hub-part.ts';
import type { AgentRecord } from '../identity/identity.ts';
import { invalidParameter } from '../wire/hub-error.ts';
import { firstText } from '../wire/read-fields.ts';
import { maySee } from './handoff-access.ts';
import { handoffNotFound } from './handoff-errors.ts';
import { handoffView } from './handoff-view.ts';
import type { Handoff } from './lease/handoff.ts';
import { Handoffs } from './lease/handoffs.ts';

/** What the hand-off methods share. */
export interface HandoffServices {
  readonly context: HubContext;
  readonly handoffs: Handoffs;
}

export function createHandoffServices(context: HubContext): HandoffServices {
  return { context, handoffs: new Handoffs(context.store, context.now) };
}

/** Finds the hand-off that a request names. Throws if the agent cannot see it. */
export async function requireHandoff(
  { handoffs }: HandoffServices,
  params: JsonObject,
  agent: AgentRecord,
): Promise<Handoff> {
  const handoffId = handoffIdOf(params);
  if (handoffId === undefined)
    throw invalidParameter('handoff_id', 'the id of a hand-off', params['handoff_id']);
  const handoff = await handoffs.find(handoffId);
  if (handoff === undefined || !maySee(handoff, agent)) throw handoffNotFound();
  return handoff;
}

export function handoffIdOf(params: JsonObject): string | undefined {
  return firstText(params, ['handoff_id', 'handoffId']);
}

export function leaseTokenOf(params: JsonObject): string | undefined {
  return firstText(params, ['lease_token', 'leaseToken']);
}

/** The current state of a hand-off, as the agent sees it. */
export async function viewNow(
  { handoffs, context }: HandoffServices,
  handoff: Handoff,
  viewer: AgentRecord,
): Promise<JsonObject> {
  return handoffView(handoff, viewer, { task: await handoffs.momentOf(handoff), now: context.now() });
}
