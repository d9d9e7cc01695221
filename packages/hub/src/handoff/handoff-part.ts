import { isTerminal, type JsonObject } from '@holdword/protocol';
import { ownerFromKey, ownerKey } from '@holdword/runtime/internal';
import type { Continuation, Exchange, HandedTask, HubPart, MessageIds } from '../hub-part.ts';
import { controllerOf, ownerOfAgent, type AgentRecord } from '../identity/identity.ts';
import { sessionResolution } from '../sessions/session.ts';
import { invalidParameter } from '../wire/hub-error.ts';
import { acknowledgeMethod, claimMethod, finishMethod, releaseMethod } from './claim-task.ts';
import { handedOverField, requireNoSuccessor } from './fence.ts';
import {
  changeAsHolder,
  handoffIdOf,
  handoffNotFound,
  isLeaseOf,
  leaseLost,
  maySee,
  requireHandoff,
  type HandoffServices,
} from './handoff-access.ts';
import { viewNow } from './handoff-view.ts';
import { holderOf, statusOf, use, type Handoff } from './handoff.ts';
import { getMethod, listMethod } from './list-handoffs.ts';
import { findSentBefore } from './sent-before.ts';
import { offerMethod } from './offer-task.ts';
import { asksForPacket, buildPacket, PACKET_ARGUMENTS } from './build-packet.ts';

/** Hand-off: packets built from evidence, and tasks that are handed over to exactly one successor. */
export function handoffPart(services: HandoffServices): HubPart {
  return {
    methods: [
      offerMethod(services),
      claimMethod(services),
      acknowledgeMethod(services),
      finishMethod(services),
      releaseMethod(services),
      getMethod(services),
      listMethod(services),
    ],
    messageArguments: [...PACKET_ARGUMENTS, 'handoff_id', 'lease_token'],
    continuation: (params, { agent }, message) => {
      requirePacketName(params['packet']);
      return continueHandoff(services, params, agent, message);
    },
    handedTask: (taskId, params, { agent }) => findHandedTask(services, taskId, params, agent),
    requireDriver: (taskId, agentId) => requireNoSuccessor(services, taskId, agentId),
    describeTask: (taskId, { agent }) => handoffField(services, taskId, agent),
    enrich: async (exchange) => ({
      ...(await handedOverField(services, exchange.identity.agent)),
      ...(await packetField(services, exchange)),
      ...(await noteProgress(services, exchange)),
    }),
  };
}

/** A caller that misspells the packet must not get an answer without one. */
function requirePacketName(packet: unknown): void {
  if (packet === undefined || packet === null || asksForPacket({ packet }, '')) return;
  throw invalidParameter('packet', '"handoff_packet"', packet);
}

/** The packet of the sender's own session. A successor gets the packet of a handed-over task from the claim instead. */
async function packetField({ context }: HandoffServices, exchange: Exchange): Promise<JsonObject> {
  const { params, text, responseMode, identity, resolved, task } = exchange;
  if (handoffIdOf(params) !== undefined || !asksForPacket(params, text)) return {};
  const { sessionId } = resolved.session;
  const packet = await buildPacket(
    context.store,
    { owner: ownerKey(identity.owner), contextId: sessionId, askingTaskId: task?.id },
    {
      sessionId,
      agentId: identity.agentId,
      controllerId: controllerOf(identity.agent) ?? null,
      sessionResolution: sessionResolution(resolved),
      responseMode,
    },
    context.packetWriter,
  );
  return { handoff_packet: packet };
}

/**
 * Finds the destination of a message that names a hand-off: the task that was handed over, which keeps its owner (J9). The
 * sender must hold the lease. A failed task is never changed (J6), so a new task in its context refers to it.
 */
async function continueHandoff(
  services: HandoffServices,
  params: JsonObject,
  agent: AgentRecord,
  message: MessageIds,
): Promise<Continuation | undefined> {
  if (handoffIdOf(params) === undefined) return undefined;
  const handoff = await requireHandoff(services, params, agent);
  const sentBefore = await findSentBefore(services.context.store, handoff, message);
  if (sentBefore !== undefined) {
    await requireHolderOrFinisher(services, handoff, agent, params);
    return { ...sentBefore, requireHolder: () => requireHolder(services, handoff, agent, params) };
  }
  const { taskId, contextId, continuedAs } = await changeAsHolder(services, handoff, agent, params, use);
  const currentId = continuedAs ?? taskId;
  const header = await services.context.store.readTask(currentId);
  if (header === undefined) throw handoffNotFound();
  return {
    contextId,
    owner: ownerFromKey(header.owner),
    requireHolder: () => requireHolder(services, handoff, agent, params),
    ...(isTerminal(header.state) ? { referenceTaskIds: [currentId] } : { taskId: currentId }),
  };
}

/** Rejects the repeated message of an agent that neither holds the hand-off nor has finished it. */
async function requireHolderOrFinisher(
  { handoffs, context }: HandoffServices,
  handoff: Handoff,
  agent: AgentRecord,
  params: JsonObject,
): Promise<void> {
  const moment = await handoffs.momentOf(handoff);
  const status = statusOf(handoff, moment, context.now());
  const isHeld = status === 'claimed' || status === 'acknowledged';
  const isFinished = status === 'finished' && !moment.isSuperseded;
  if (!(isHeld || isFinished) || !isLeaseOf(handoff.lease, agent, params)) throw leaseLost();
}

/** Rejects a message of an agent that lost the lease while the message waited for its turn. */
async function requireHolder(
  { handoffs, context }: HandoffServices,
  { handoffId }: Handoff,
  agent: AgentRecord,
  params: JsonObject,
): Promise<void> {
  const handoff = await handoffs.find(handoffId);
  if (handoff === undefined) throw handoffNotFound();
  const lease = holderOf(handoff, await handoffs.momentOf(handoff), context.now());
  if (!isLeaseOf(lease, agent, params)) throw leaseLost();
}

/** A handed-over task and its owner, for the agent that holds it or held it when it finished. */
async function findHandedTask(
  services: HandoffServices,
  wantedId: string | undefined,
  params: JsonObject,
  agent: AgentRecord,
): Promise<HandedTask | undefined> {
  if (handoffIdOf(params) === undefined) return undefined;
  const handoff = await requireHandoff(services, params, agent);
  const { taskId, continuedAs, lease, agentId } = handoff;
  const moment = await services.handoffs.momentOf(handoff);
  const isDone = moment.isDone && !moment.isSuperseded;
  const holds = isDone || holderOf(handoff, moment, services.context.now()) !== undefined;
  if (!holds || handoff.closed !== undefined || !isLeaseOf(lease, agent, params)) throw leaseLost();
  const id = wantedId ?? continuedAs ?? taskId;
  const owner = ownerOfAgent(agentId);
  if (id === taskId || id === continuedAs) return { taskId: id, owner, isOther: false };
  const other = await services.context.store.readTask(id);
  const isOfSession = other?.owner === ownerKey(owner) && other.contextId === handoff.contextId;
  return isOfSession ? { taskId: id, owner, isOther: true } : undefined;
}

/** Who holds a task, for its owner, its controller and its holder. */
async function handoffField(
  services: HandoffServices,
  taskId: string,
  agent: AgentRecord,
): Promise<JsonObject> {
  const handoff = await services.handoffs.ofTask(taskId);
  return handoff !== undefined && maySee(handoff, agent)
    ? { handoff: await viewNow(services, handoff, agent) }
    : {};
}

/** Records the new task that continues one that has ended. A message that is repeated later leads no way back. */
async function noteProgress(
  services: HandoffServices,
  { params, identity: { agent }, task, continuation }: Exchange,
): Promise<JsonObject> {
  const handoffId = handoffIdOf(params);
  if (handoffId === undefined) return {};
  const changed = await services.handoffs.change(handoffId, (current) => {
    const currentId = current.continuedAs ?? current.taskId;
    if (task === undefined || continuation?.referenceTaskIds?.includes(currentId) !== true) return undefined;
    return { ...current, continuedAs: task.id, lease: current.lease && { ...current.lease, usedAfter: 0 } };
  });
  if (changed?.continuedAs !== undefined) await services.handoffs.continueAs(handoffId, changed.continuedAs);
  return changed === undefined ? {} : { handoff: await viewNow(services, changed, agent) };
}
