import type { JsonObject } from '@holdword/protocol';
import type { Evidence, Fact } from '../evidence/evidence.ts';
import type { EarlierTask } from './earlier-tasks.ts';

/** The agent and session a packet is about. */
export interface PacketSubject {
  readonly sessionId: string;
  readonly agentId: string;
  readonly controllerId: string | null;
  readonly sessionResolution: JsonObject;
  readonly responseMode: string;
}

const MAX_TOPIC_LENGTH = 120;
const MAX_LISTED = 10;
const DIGEST_SHOWN = 12;

/**
 * The hand-off packet with its JSON field names. Every statement comes from `evidence`, which names the source of each
 * fact; a session without work has none.
 */
export function witnessPacket(
  subject: PacketSubject,
  evidence: Evidence | undefined,
  earlierTasks: readonly EarlierTask[],
): JsonObject {
  return {
    packet_type: 'witness_handoff',
    packet_version: 'witness_handoff.v1',
    session_id: subject.sessionId,
    agent_id: subject.agentId,
    controller_id: subject.controllerId,
    topic: evidence === undefined ? 'nothing recorded yet' : topicOf(evidence),
    next_agent_should_remember:
      evidence === undefined ? 'No work is recorded in this session yet.' : toRemember(evidence),
    risk_to_watch: evidence?.risk_to_watch?.text ?? 'No risk is recorded.',
    exact_next_action:
      evidence?.exact_next_action.text ?? 'Ask for the task: send a message that says what should be done.',
    continuity_note: continuityNote(subject, evidence, earlierTasks),
    handoff_confidence: evidence?.confidence.level ?? 'medium',
    session_resolution: subject.sessionResolution,
    response_mode: subject.responseMode,
    evidence: evidence === undefined ? null : { ...evidence },
    earlier_tasks: [...earlierTasks],
  };
}

function topicOf({ request, task_id }: Evidence): string {
  const [line = ''] = (request?.text ?? '').split('\n');
  const topic = line.length > MAX_TOPIC_LENGTH ? `${line.slice(0, MAX_TOPIC_LENGTH)}…` : line;
  return topic === '' ? `task ${task_id}` : topic;
}

function toRemember(evidence: Evidence): string {
  const { request, artifacts } = evidence;
  const made = artifacts.map(({ name, artifact_id, complete, parts }) => {
    const digests = parts.map(
      ({ bytes, sha256 }) => `${bytes} bytes, sha256 ${sha256.slice(0, DIGEST_SHOWN)}…`,
    );
    return `${name ?? artifact_id} (${complete ? '' : 'unfinished, '}${digests.join('; ')})`;
  });
  return [
    ...(request === null ? [] : [`Asked: ${request.text}`]),
    ...listed('Done', texts(evidence.done)),
    ...listed('Decided', texts(evidence.decisions)),
    ...listed('Open', texts(evidence.remaining.filter(({ text }) => text !== request?.text))),
    ...listed('Unanswered', texts(evidence.open_questions)),
    ...listed('Last error', evidence.last_error === null ? [] : [evidence.last_error.text]),
    ...listed('Artifacts', made),
  ].join('\n');
}

function listed(title: string, items: readonly string[]): string[] {
  if (items.length === 0) return [];
  const more = items.length > MAX_LISTED ? [`and ${items.length - MAX_LISTED} more`] : [];
  return [`${title}: ${[...items.slice(0, MAX_LISTED), ...more].join(' | ')}`];
}

function texts(facts: readonly Fact[]): string[] {
  return facts.map(({ text }) => text);
}

function continuityNote(
  { sessionId, agentId }: PacketSubject,
  evidence: Evidence | undefined,
  earlierTasks: readonly EarlierTask[],
): string {
  const others =
    earlierTasks.length === 0
      ? ''
      : ` The session has ${earlierTasks.length} other tasks, listed in earlier_tasks.`;
  if (evidence === undefined) return `Session ${sessionId} belongs to ${agentId}.${others}`;
  const { task_id, state, events } = evidence;
  return (
    `Task ${task_id} of ${agentId} is in state ${state} after event ${events.last} and keeps its id.` +
    `${others} Each fact names the task and the sequence number of its event.`
  );
}
