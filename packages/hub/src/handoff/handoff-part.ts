import type { JsonObject } from '@holdword/protocol';
import { ownerKey } from '@holdword/runtime/internal';
import type { Exchange, HubPart } from '../hub-part.ts';
import { controllerOf } from '../identity/identity.ts';
import { sessionResolution } from '../sessions/session.ts';
import { continueHandoff } from './continue-handoff.ts';
import { handoffIdOf, type HandoffServices } from './handoff-services.ts';
import { acknowledgeMethod } from './methods/acknowledge.ts';
import { claimMethod } from './methods/claim.ts';
import { getMethod } from './methods/get.ts';
import { listMethod } from './methods/list.ts';
import { offerMethod } from './methods/offer.ts';
import { releaseMethod } from './methods/release.ts';
import { noteProgress } from './note-progress.ts';
import { ownerOfHandedTask } from './owner-of-handed-task.ts';
import { asksForPacket, PACKET_ARGUMENTS } from './packet/asks-for-packet.ts';
import { buildPacket } from './packet/build-packet.ts';

/** Hand-off: packets built from evidence, and tasks that are handed over to exactly one successor. */
export function handoffPart(services: HandoffServices): HubPart {
  return {
    methods: [
      offerMethod(services),
      claimMethod(services),
      acknowledgeMethod(services),
      releaseMethod(services),
      getMethod(services),
      listMethod(services),
    ],
    messageArguments: [...PACKET_ARGUMENTS, 'handoff_id', 'lease_token'],
    continuation: (params, { agent }) => continueHandoff(services, params, agent),
    ownerOfTask: (taskId, params, { agent }) => ownerOfHandedTask(services, taskId, params, agent),
    enrich: async (exchange) => ({
      ...(await packetField(services, exchange)),
      ...(await noteProgress(services, exchange.params, exchange.identity.agent, exchange.task)),
    }),
  };
}

/** The packet of the sender's own session. A successor gets the packet of a handed-over task from the claim instead. */
async function packetField({ context }: HandoffServices, exchange: Exchange): Promise<JsonObject> {
  const { params, text, responseMode, identity, resolved, task } = exchange;
  if (handoffIdOf(params) !== undefined || !asksForPacket(params, text)) return {};
  const { sessionId } = resolved.session;
  const packet = await buildPacket(
    context.store,
    {
      owner: ownerKey(identity.owner),
      contextId: sessionId,
      askingTaskId: task?.id,
    },
    {
      sessionId,
      agentId: identity.agentId,
      controllerId: controllerOf(identity.agent) ?? null,
      sessionResolution: sessionResolution(resolved),
      responseMode,
    },
  );
  return { handoff_packet: packet };
}
