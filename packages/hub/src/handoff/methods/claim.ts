import type { JsonObject } from '@holdword/protocol';
import { hashSecret, newSecret, ownerKey } from '@holdword/runtime/internal';
import { type AgentRecord, ownerOfAgent } from '../../identity/identity.ts';
import type { HubMethod } from '../../wire/hub-method.ts';
import { mayClaim } from '../handoff-access.ts';
import { claimRejected, handoffNotFound } from '../handoff-errors.ts';
import { type HandoffServices, requireHandoff, viewNow } from '../handoff-services.ts';
import type { Handoff } from '../lease/handoff.ts';
import { claim, type ClaimOutcome, withRejection } from '../lease/transitions.ts';
import { buildPacket } from '../packet/build-packet.ts';

/** `handoff/claim`: gives the first claimer a lease on the task and the hand-off packet. */
export function claimMethod(services: HandoffServices): HubMethod {
  return {
    name: 'handoff/claim',
    spec: {
      description:
        'Claims an offered task. Returns the hand-off packet and a lease_token; later claims are rejected.',
      required: ['handoff_id'],
      accepts: ['handoff_id'],
    },
    async handle(params, requestContext) {
      const { agent } = await services.context.identities.require(requestContext, params);
      const handoff = await requireHandoff(services, params, agent);
      if (!mayClaim(handoff, agent)) throw handoffNotFound();
      const token = newSecret();
      const { claimed, outcome } = await tryClaim(services, handoff, agent, hashSecret(token));
      if ('rejected' in outcome) throw claimRejected(outcome);
      return {
        ...(await viewNow(services, claimed, agent)),
        lease_token: token,
        handoff_packet: await packetFor(services, claimed),
        how: howToContinue(claimed),
        next_action: 'Call handoff/ack within two minutes, or continue right away with message/send.',
      };
    },
  };
}

async function tryClaim(
  { handoffs }: HandoffServices,
  { handoffId }: Handoff,
  { agentId }: AgentRecord,
  tokenHash: string,
): Promise<{ claimed: Handoff; outcome: ClaimOutcome }> {
  let outcome: ClaimOutcome = { rejected: 'finished' };
  const claimed = await handoffs.change(handoffId, (current, moment) => {
    outcome = claim(current, agentId, tokenHash, moment);
    if (!('rejected' in outcome)) return outcome.handoff;
    if (outcome.rejected !== 'taken') return undefined;
    const reason = 'Another agent had already claimed the task.';
    return withRejection(current, { agentId, at: moment.now, kind: 'late', reason });
  });
  if (claimed === undefined) throw handoffNotFound();
  return { claimed, outcome };
}

function packetFor({ context }: HandoffServices, handoff: Handoff): Promise<JsonObject> {
  const { taskId, continuedAs, contextId, agentId, controllerId } = handoff;
  return buildPacket(
    context.store,
    { owner: ownerKey(ownerOfAgent(agentId)), contextId, taskId: continuedAs ?? taskId },
    {
      sessionId: contextId,
      agentId,
      controllerId: controllerId ?? null,
      sessionResolution: { source: 'handoff', value: handoff.handoffId },
      responseMode: 'standard',
    },
  );
}

function howToContinue({ handoffId }: Handoff): JsonObject {
  const named = { handoff_id: handoffId, lease_token: '<lease_token>' };
  return {
    go_on: { method: 'message/send', params: { ...named, message: '<what the agent should do next>' } },
    acknowledge: { method: 'handoff/ack', params: named },
    give_back: { method: 'handoff/release', params: { ...named, reason: '<why>' } },
  };
}
