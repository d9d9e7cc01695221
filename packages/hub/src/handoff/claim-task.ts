import type { JsonObject } from '@holdword/protocol';
import { hashSecret, newSecret, ownerKey } from '@holdword/runtime/internal';
import type { Store } from '@holdword/store';
import type { PacketWriter } from '../hub-part.ts';
import { ownerOfAgent, type AgentRecord } from '../identity/identity.ts';
import type { HubError } from '../wire/hub-error.ts';
import type { HubMethod } from '../wire/hub-method.ts';
import { firstText } from '../wire/read-fields.ts';
import type { HubEvent } from '../wire/request-context.ts';
import { isoTime } from '../wire/times.ts';
import {
  changeAsHolder,
  handoffError,
  handoffNotFound,
  leaseTokenOf,
  mayClaim,
  mayManage,
  recordHandoff,
  requireHandoff,
  type HandoffServices,
} from './handoff-access.ts';
import { viewNow } from './handoff-view.ts';
import { acknowledge, claim, release, withRejection, type ClaimOutcome, type Handoff } from './handoff.ts';
import { buildPacket } from './build-packet.ts';

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
      if (handoff.agentId === agent.agentId) throw ownTask();
      if (!mayClaim(handoff, agent)) throw handoffNotFound();
      const token = newSecret();
      const { claimed, outcome } = await tryClaim(services, handoff, agent, hashSecret(token));
      services.context.count('claim', 'rejected' in outcome ? outcome.rejected : 'granted');
      if ('rejected' in outcome) throw claimRejected(outcome);
      await services.handoffs.giveAway(claimed);
      recordHandoff(services, requestContext, 'handoff-claimed', claimed, agent);
      return {
        ...(await viewNow(services, claimed, agent)),
        lease_token: token,
        handoff_packet: await packetFor(services, claimed),
        how: howToContinue(claimed),
        next_action:
          claimed.reported === true
            ? 'Call handoff/ack within two minutes, report your progress with message/send, and call handoff/finish when the work is done.'
            : 'Call handoff/ack within two minutes, or continue right away with message/send.',
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
  return buildHandoffPacket(context.store, handoff, context.packetWriter);
}

/** The packet of a hand-off, from the current journals; by rules alone without a writer. */
export function buildHandoffPacket(
  store: Store,
  handoff: Handoff,
  writer?: PacketWriter,
): Promise<JsonObject> {
  const { taskId, continuedAs, contextId, agentId, controllerId } = handoff;
  return buildPacket(
    store,
    { owner: ownerKey(ownerOfAgent(agentId)), contextId, taskId: continuedAs ?? taskId },
    {
      sessionId: contextId,
      agentId,
      controllerId: controllerId ?? null,
      sessionResolution: { source: 'handoff', value: handoff.handoffId },
      responseMode: 'standard',
    },
    writer,
  );
}

function howToContinue({ handoffId, reported }: Handoff): JsonObject {
  const named = { handoff_id: handoffId, lease_token: '<lease_token>' };
  return {
    go_on: { method: 'message/send', params: { ...named, message: '<what the agent should do next>' } },
    acknowledge: { method: 'handoff/ack', params: named },
    ...(reported === true
      ? { finish: { method: 'handoff/finish', params: named } }
      : { cancel: { method: 'tasks/cancel', params: named } }),
    give_back: { method: 'handoff/release', params: { ...named, reason: '<why>' } },
  };
}

function ownTask(): HubError {
  return handoffError('own_task', 'An agent cannot claim its own task.', {
    hint: 'To continue it, withdraw the offer with handoff/release and send a message to the task.',
  });
}

function claimRejected(outcome: Extract<ClaimOutcome, { rejected: string }>): HubError {
  if (outcome.rejected === 'taken') {
    const until = isoTime(outcome.until);
    return handoffError('already_claimed', `Another agent has claimed this task until ${until}.`, {
      hint: 'Call handoff/list for other work. The task can be claimed again if its holder releases it or its lease expires.',
      details: { lease_until: until },
    });
  }
  return handoffError(
    `handoff_${outcome.rejected}`,
    `This hand-off is ${outcome.rejected} and cannot be claimed.`,
    {
      hint: 'Call handoff/list to see which hand-offs can be claimed.',
    },
  );
}

/** `handoff/ack`: the successor accepts the task; repeating the call renews the lease. */
export function acknowledgeMethod(services: HandoffServices): HubMethod {
  return {
    name: 'handoff/ack',
    spec: {
      description:
        'Acknowledges a claimed hand-off and starts the full lease. Call it again to renew the lease.',
      required: ['handoff_id', 'lease_token'],
      accepts: ['handoff_id', 'lease_token'],
    },
    async handle(params, requestContext) {
      const { agent } = await services.context.identities.require(requestContext, params);
      const handoff = await requireHandoff(services, params, agent);
      const changed = await changeAsHolder(services, handoff, agent, params, acknowledge);
      return {
        ...(await viewNow(services, changed, agent)),
        next_action: 'Continue the task: call message/send with handoff_id and lease_token.',
      };
    },
  };
}

/** `handoff/finish`: the successor has done the work that was reported. The hand-off of a task finishes with the task. */
export function finishMethod(services: HandoffServices): HubMethod {
  return {
    name: 'handoff/finish',
    spec: {
      description:
        'Finishes reported work that the caller has claimed. The hand-off of a task finishes with its task.',
      required: ['handoff_id', 'lease_token'],
      accepts: ['handoff_id', 'lease_token'],
    },
    async handle(params, requestContext) {
      const { agent } = await services.context.identities.require(requestContext, params);
      const handoff = await requireHandoff(services, params, agent);
      if (handoff.reported !== true) throw finishesWithTask();
      const changed = await changeAsHolder(services, handoff, agent, params, (current) => ({
        ...current,
        closed: 'finished',
      }));
      recordHandoff(services, requestContext, 'handoff-finished', changed, agent);
      return viewNow(services, changed, agent);
    },
  };
}

function finishesWithTask(): HubError {
  return handoffError('finishes_with_task', 'This hand-off finishes when its task ends.', {
    hint: 'Continue the task with message/send, cancel it with tasks/cancel, or release it with handoff/release.',
  });
}

const MAX_REASON_LENGTH = 500;

/** `handoff/release`: the holder releases the lease, the owner withdraws the offer, or an addressee declines it. */
export function releaseMethod(services: HandoffServices): HubMethod {
  return {
    name: 'handoff/release',
    spec: {
      description:
        'With lease_token, releases a claimed task. Without it, the owner of the task or its controller withdraws the offer, and an agent to whom the task is offered declines it.',
      required: ['handoff_id'],
      recommended: ['reason'],
      accepts: ['handoff_id', 'lease_token', 'reason'],
    },
    async handle(params, requestContext) {
      const { agent } = await services.context.identities.require(requestContext, params);
      const handoff = await requireHandoff(services, params, agent);
      const reason = firstText(params, ['reason'])?.slice(0, MAX_REASON_LENGTH) ?? 'No reason was given.';
      const changed = await releaseHandoff(services, handoff, agent, params, reason);
      recordHandoff(services, requestContext, releaseEvent(changed, agent, params), changed, agent);
      return { ...(await viewNow(services, changed, agent)) };
    },
  };
}

async function releaseHandoff(
  services: HandoffServices,
  handoff: Handoff,
  agent: AgentRecord,
  params: JsonObject,
  reason: string,
): Promise<Handoff> {
  if (leaseTokenOf(params) !== undefined) {
    return changeAsHolder(services, handoff, agent, params, (current, lease, { now }) =>
      release(current, lease, reason, now),
    );
  }
  const changed = await services.handoffs.change(handoff.handoffId, (current, { now }) => {
    if (current.closed !== undefined) return undefined;
    if (mayManage(current, agent)) return { ...current, closed: 'withdrawn' };
    return declined(current, agent, reason, now);
  });
  if (changed === undefined) throw handoffNotFound();
  return changed;
}

function releaseEvent(handoff: Handoff, agent: AgentRecord, params: JsonObject): HubEvent {
  if (leaseTokenOf(params) !== undefined) return 'handoff-released';
  return mayManage(handoff, agent) ? 'handoff-withdrawn' : 'handoff-declined';
}

/** An offer to one agent closes when that agent declines; an offer to several stays open for the others. */
function declined(handoff: Handoff, { agentId }: AgentRecord, reason: string, at: number): Handoff {
  const rejected = withRejection(handoff, { agentId, at, kind: 'declined', reason });
  return handoff.to.kind === 'agent' ? { ...rejected, closed: 'declined' } : rejected;
}
