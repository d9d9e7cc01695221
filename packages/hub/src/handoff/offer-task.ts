import type { JsonObject } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import { ownerFromKey, ownerKey } from '@holdword/runtime/internal';
import type { Store, TaskHeader } from '@holdword/store';
import { acceptAgentId } from '../identity/declared-agent.ts';
import {
  agentOfOwner,
  controllerOf,
  mayAct,
  ownerOfAgent,
  type AgentRecord,
  type Identity,
} from '../identity/identity.ts';
import { isUuid } from '../sessions/declared-sessions.ts';
import { HubError, invalidParameter } from '../wire/hub-error.ts';
import type { HubMethod } from '../wire/hub-method.ts';
import { OPEN_STATES } from '../wire/open-states.ts';
import { firstText } from '../wire/read-fields.ts';
import { buildPacket } from './build-packet.ts';
import { handoffError, recordHandoff, type HandoffServices } from './handoff-access.ts';
import { viewNow } from './handoff-view.ts';
import { isUnfinished, type Addressee, type Handoff, type OfferedBy } from './handoff.ts';
import type { OfferOutcome } from './handoffs.ts';

const MAX_NOTE_LENGTH = 2_000;
const TASKS_SEARCHED = 50;
const OFFER_SECONDS = { min: 10, max: 7 * 24 * 3_600, default: 24 * 3_600 };
const LEASE_SECONDS = { min: 10, max: 24 * 3_600, default: 600 };

/** `handoff/offer`: offers a task to a successor, on behalf of its owner or the owner's controller. */
export function offerMethod(services: HandoffServices): HubMethod {
  return {
    name: 'handoff/offer',
    spec: {
      description:
        'Offers a task to one agent (to_agent_id), to agents of the same controller with a skill (to_skill), or to any agent of the controller. Exactly one of them can claim it. Without task_id, it is the newest unfinished task, or else the work that was reported as open in the session.',
      required: [],
      recommended: ['task_id'],
      accepts: [
        'task_id',
        'session_id',
        'to_agent_id',
        'to_skill',
        'to_unregistered',
        'note',
        'expires_in_seconds',
        'lease_seconds',
      ],
    },
    async handle(params, requestContext) {
      const identity = await services.context.identities.require(requestContext, params);
      const { header, reported } = await workToOffer(services, params, identity);
      const agent = await agentOfTask(services, header, identity);
      const offer: Offer = {
        header,
        reported,
        agent,
        offeredBy: {
          kind: agent.agentId === identity.agentId ? 'agent' : 'controller',
          id: identity.agentId,
        },
        to: readAddressee(params, agent),
        note: firstText(params, ['note'])?.slice(0, MAX_NOTE_LENGTH),
        offerSeconds: readSeconds(params, 'expires_in_seconds', OFFER_SECONDS),
        leaseSeconds: readSeconds(params, 'lease_seconds', LEASE_SECONDS),
      };
      if (params['to_unregistered'] !== true) await requireAddressee(services, offer.to);
      if (!reported && !isUnfinished(header.state)) throw nothingToHandOver(header);
      const outcome = await offerTask(services, offer);
      if ('isForgotten' in outcome) throw taskNotFound();
      if ('existing' in outcome) {
        throw handoffError('already_offered', 'This task is already offered or handed over.', {
          hint: 'See its status with handoff/get, or withdraw it with handoff/release before you offer it again.',
          details: { handoff_id: outcome.existing.handoffId },
        });
      }
      recordHandoff(services, requestContext, 'handoff-offered', outcome.handoff, identity.agent);
      return {
        ...(await viewNow(services, outcome.handoff, identity.agent)),
        next_action:
          'Send the handoff_id to the successor, or wait: handoff/list shows it to agents that can claim it.',
      };
    },
  };
}

/** What is offered: a task, or the work that its session reported as open. */
interface OfferedWork {
  readonly header: TaskHeader;
  readonly reported: boolean;
}

/**
 * The task that the request names or, without one, the newest unfinished task, limited to the session if one is named. A hub
 * without an agent has no unfinished tasks: there, and wherever else there is none, it is the work that was reported as open.
 */
async function workToOffer(
  services: HandoffServices,
  params: JsonObject,
  identity: Identity,
): Promise<OfferedWork> {
  const { context } = services;
  const taskId = firstText(params, ['task_id', 'taskId']);
  if (taskId !== undefined) {
    const header = await context.store.readTask(taskId);
    if (header === undefined) throw taskNotFound();
    return { header, reported: false };
  }
  const contextId = sessionOf(params);
  const agentId = await agentOfSession(services, contextId, identity);
  const { tasks } = await context.store.listTasks({
    owner: ownerKey(ownerOfAgent(agentId)),
    limit: TASKS_SEARCHED,
    ...(contextId !== undefined && { contextId }),
  });
  const unfinished = tasks.find(({ state }) => isUnfinished(state));
  if (unfinished !== undefined) return { header: unfinished, reported: false };
  const [newest] = tasks;
  if (newest === undefined) throw nothingReported();
  const isDescribed = firstText(params, ['note']) !== undefined;
  if (isDescribed || (await hasOpenReport(context.store, newest))) return { header: newest, reported: true };
  const [open] = contextId === undefined ? await findOpenReports(services, agentId) : [];
  if (open === undefined) throw nothingReported();
  return { header: open, reported: true };
}

/** The agent whose work is offered: the caller or, for a session of an agent that it controls, that agent. */
async function agentOfSession(
  { context }: HandoffServices,
  sessionId: string | undefined,
  { agentId }: Identity,
): Promise<string> {
  const session = sessionId === undefined ? undefined : await context.sessions.find(sessionId);
  const agent = session === undefined ? undefined : await context.identities.find(session.agentId);
  return agent !== undefined && controllerOf(agent) === agentId ? agent.agentId : agentId;
}

const SESSIONS_SEARCHED = 20;

/** The newest task of each session of an agent that reports open work: of its active sessions, and of the one it used last. */
export async function findOpenReports(
  { context: { store, sessions } }: HandoffServices,
  agentId: string,
): Promise<TaskHeader[]> {
  const owner = ownerKey(ownerOfAgent(agentId));
  const { tasks: last } = await store.listTasks({ owner, limit: 1 });
  const active = (await sessions.list(agentId, SESSIONS_SEARCHED)).filter((each) => sessions.isAlive(each));
  const contextIds = [...last.map(({ contextId }) => contextId), ...active.map(({ sessionId }) => sessionId)];
  const open: TaskHeader[] = [];
  for (const contextId of new Set(contextIds)) {
    const [newest] = (await store.listTasks({ owner, contextId, limit: 1 })).tasks;
    if (newest !== undefined && (await hasOpenReport(store, newest))) open.push(newest);
  }
  return open;
}

/** What the next step of a packet can rest on if somebody wrote down that something is left to do. */
const OPEN_BASES: ReadonlySet<unknown> = new Set(['noted', 'question', 'remaining', 'error']);

/**
 * Whether the packet of a session says that something is left to do, or quotes a newest message that was not understood: then a
 * successor must read it.
 */
async function hasOpenReport(store: Store, { owner, contextId, taskId }: TaskHeader): Promise<boolean> {
  const subject = {
    sessionId: contextId,
    agentId: '',
    controllerId: null,
    sessionResolution: {},
    responseMode: '',
  };
  const packet = await buildPacket(store, { owner, contextId, taskId }, subject);
  const evidence = asObject(packet['evidence']);
  const { basis } = asObject(evidence['exact_next_action']);
  const [newest] = Array.isArray(evidence['last_messages']) ? evidence['last_messages'] : [];
  const mustBeRead =
    asObject(newest)['understood'] === false ||
    (evidence['last_error'] !== null && evidence['last_error_resolved'] === null);
  return OPEN_BASES.has(basis) || (basis === 'report' && mustBeRead);
}

/** An invalid session must not widen the search to all of them. */
function sessionOf(params: JsonObject): string | undefined {
  const value = params['session_id'] ?? params['sessionId'];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || !isUuid(value)) throw invalidParameter('session_id', 'a UUID', value);
  return value.toLowerCase();
}

/** The owner of the task. Throws if the caller is neither the owner nor the owner's controller. */
async function agentOfTask(
  { context }: HandoffServices,
  { owner }: TaskHeader,
  identity: Identity,
): Promise<AgentRecord> {
  const agentId = agentOfOwner(ownerFromKey(owner));
  if (agentId === identity.agentId) return identity.agent;
  const agent = agentId === undefined ? undefined : await context.identities.find(agentId);
  if (agent === undefined || controllerOf(agent) !== identity.agentId) throw taskNotFound();
  return agent;
}

function readAddressee(params: JsonObject, agent: AgentRecord): Addressee {
  const agentId = firstText(params, ['to_agent_id', 'toAgentId']);
  const skill = firstText(params, ['to_skill', 'toSkill']);
  if (agentId !== undefined && skill !== undefined)
    throw new HubError('DELX-A2A-1004', 'to_agent_id and to_skill cannot be combined.', {
      hint: 'Send only one of them.',
      details: { field: 'to_agent_id and to_skill' },
    });
  if (agentId === agent.agentId)
    throw invalidParameter('to_agent_id', 'another agent than the owner of the task', agentId);
  if (agentId !== undefined) return { kind: 'agent', agentId: acceptAgentId(agentId) };
  if (controllerOf(agent) === undefined) {
    throw handoffError('no_controller', 'The agent has no confirmed controller.', {
      hint: "Name the successor with to_agent_id, or register the agent with its controller's token.",
    });
  }
  return skill === undefined ? { kind: 'controller' } : { kind: 'skill', skill };
}

/** A mistyped name could be registered by a stranger, who would then get the packet. */
async function requireAddressee({ context }: HandoffServices, to: Addressee): Promise<void> {
  if (to.kind !== 'agent') return;
  const agent = await context.identities.find(to.agentId);
  if (agent !== undefined && mayAct(agent)) return;
  if (agent?.blocked !== undefined)
    throw invalidParameter('to_agent_id', 'an agent that is not blocked', to.agentId);
  const hint = 'Check the name. To offer the task to whoever registers this name, add to_unregistered=true.';
  throw invalidParameter('to_agent_id', 'a registered agent', to.agentId, hint);
}

/** Reads an optional duration and checks its limits. */
function readSeconds(
  params: JsonObject,
  field: string,
  { min, max, default: fallback }: { min: number; max: number; default: number },
): number {
  const value = params[field];
  if (value === undefined || value === null) return fallback;
  if (typeof value !== 'number' || !(value >= min && value <= max))
    throw invalidParameter(field, `a number of seconds from ${min} to ${max}`, value);
  return value;
}

/** An offer of one task. */
export interface Offer {
  readonly header: TaskHeader;
  /** Whether it is the work that was reported in the session of the task, not the task itself. */
  readonly reported?: boolean | undefined;
  /** The owner of the task. */
  readonly agent: AgentRecord;
  readonly offeredBy: OfferedBy;
  readonly to: Addressee;
  readonly note?: string | undefined;
  readonly offerSeconds?: number | undefined;
  readonly leaseSeconds?: number | undefined;
}

/** Offers a task, unless it is already offered or handed over. The owner is told if it did not offer the task itself. */
export async function offerTask({ handoffs, context }: HandoffServices, offer: Offer): Promise<OfferOutcome> {
  const { header, agent, offeredBy, to, note } = offer;
  const { offerSeconds = OFFER_SECONDS.default, leaseSeconds = LEASE_SECONDS.default } = offer;
  const outcome = await handoffs.offer({
    taskId: header.taskId,
    contextId: header.contextId,
    reported: offer.reported === true ? true : undefined,
    agentId: agent.agentId,
    controllerId: controllerOf(agent),
    offeredBy,
    to,
    note,
    expiresAt: context.now() + offerSeconds * 1_000,
    leaseSeconds,
  });
  if ('handoff' in outcome && offeredBy.kind !== 'agent') await handoffs.giveAway(outcome.handoff);
  return outcome;
}

/** The new or existing hand-off; undefined if the task no longer exists. */
export function handoffOf(outcome: OfferOutcome): Handoff | undefined {
  if ('handoff' in outcome) return outcome.handoff;
  return 'existing' in outcome ? outcome.existing : undefined;
}

/** The tasks of an agent that have not ended, most recently changed first. */
export async function listOpenTasks(store: Store, agentId: string, limit: number): Promise<TaskHeader[]> {
  const owner = ownerKey(ownerOfAgent(agentId));
  const pages = await Promise.all(OPEN_STATES.map((state) => store.listTasks({ owner, state, limit })));
  return pages
    .flatMap(({ tasks }) => tasks)
    .toSorted((left, right) => right.statusTime - left.statusTime)
    .slice(0, limit);
}

function nothingToHandOver({ state }: TaskHeader): Error {
  return handoffError('task_ended', `The task cannot be handed over: it ended in state ${state}.`, {
    hint: 'Offer a task that has not ended, or omit task_id to offer the work that was reported as open in its session.',
  });
}

function nothingReported(): HubError {
  return new HubError('DELX-A2A-1011', 'There is no unfinished task, and nothing was reported as open.', {
    hint: 'Report what is left in a message, such as "Remaining: …" or "Next: …", or describe it in note, and offer it again. Tasks that run are handed over by a hub next to an agent.',
    details: { reason: 'nothing_to_hand_over' },
  });
}

function taskNotFound(): HubError {
  return new HubError('DELX-A2A-1011', 'Task not found.', {
    hint: 'Send the task_id of a task of this agent, or of an agent it controls.',
    details: { reason: 'task_not_found' },
  });
}
