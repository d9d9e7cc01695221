import type { JsonObject } from '@holdword/protocol';
import { ownerKey } from '@holdword/runtime';
import { hashSecret, newSecret } from '@holdword/runtime/serve';
import type { HubMethod } from '../../hub-part.ts';
import { ownerOfAgent, type AgentRecord } from '../../identity/identity.ts';
import { mayClaim } from '../handoff-access.ts';
import { requireHandoff, viewNow, type HandoffDesk } from '../handoff-desk.ts';
import { claimRefused, handoffNotFound } from '../handoff-errors.ts';
import type { Handoff } from '../lease/handoff.ts';
import { claim, withRefusal, type ClaimOutcome } from '../lease/transitions.ts';
import { buildPacket } from '../packet/build-packet.ts';

/** `handoff/claim`: gives the task to the first that claims it, with everything that is known of it. */
export function claimMethod(desk: HandoffDesk): HubMethod {
  return {
    name: 'handoff/claim',
    spec: {
      description:
        'Claims a task that is offered. The answer has the hand-off packet and a lease_token; whoever comes later is refused.',
      required: ['handoff_id'],
      accepts: ['handoff_id'],
    },
    async handle(params, call) {
      const { agent } = await desk.context.identities.require(call, params);
      const handoff = await requireHandoff(desk, params, agent);
      if (!mayClaim(handoff, agent)) throw handoffNotFound();
      const token = newSecret();
      const { claimed, outcome } = await tryClaim(desk, handoff, agent, hashSecret(token));
      if ('refused' in outcome) throw claimRefused(outcome);
      return {
        ...(await viewNow(desk, claimed, agent)),
        lease_token: token,
        handoff_packet: await packetFor(desk, claimed),
        how: howToGoOn(claimed),
        next_action: 'Call handoff/ack within two minutes, or go on at once with message/send.',
      };
    },
  };
}

async function tryClaim(
  { handoffs }: HandoffDesk,
  { handoffId }: Handoff,
  { agentId }: AgentRecord,
  tokenHash: string,
): Promise<{ claimed: Handoff; outcome: ClaimOutcome }> {
  let outcome: ClaimOutcome = { refused: 'finished' };
  const claimed = await handoffs.change(handoffId, (current, moment) => {
    outcome = claim(current, agentId, tokenHash, moment);
    if (!('refused' in outcome)) return outcome.handoff;
    if (outcome.refused !== 'taken') return undefined;
    const reason = 'Another agent had claimed the task before.';
    return withRefusal(current, { agentId, at: moment.now, kind: 'late', reason });
  });
  if (claimed === undefined) throw handoffNotFound();
  return { claimed, outcome };
}

function packetFor({ context }: HandoffDesk, handoff: Handoff): Promise<JsonObject> {
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

function howToGoOn({ handoffId }: Handoff): JsonObject {
  const named = { handoff_id: handoffId, lease_token: '<lease_token>' };
  return {
    go_on: { method: 'message/send', params: { ...named, message: '<what the agent is to do next>' } },
    acknowledge: { method: 'handoff/ack', params: named },
    give_back: { method: 'handoff/release', params: { ...named, reason: '<why>' } },
  };
}
