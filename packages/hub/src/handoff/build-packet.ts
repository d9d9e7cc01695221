import { textOfParts, type JsonObject, type StreamResponse, type TaskState } from '@holdword/protocol';
import { shorten } from '@holdword/protocol/internal';
import type { CommittedEvent, Store, TaskHeader } from '@holdword/store';
import type { PacketWriter } from '../hub-part.ts';
import { asksHub, isSmallTalk } from '../notes/speech-acts.ts';
import type { Evidence, Fact } from './evidence/evidence.ts';
import { readEvidence, readSessionTasks } from './evidence/read-evidence.ts';
import { reportedWords } from './evidence/reported-words.ts';
import { writePacket, type WrittenPacket } from './write-packet.ts';

export interface PacketQuery {
  /** The owner of the tasks, as stored. */
  readonly owner: string;
  readonly contextId: string;
  /** The task to hand over. Default: the most likely task of the session. */
  readonly taskId?: string | undefined;
  /** The task that asks for the packet, which is not the work itself. */
  readonly askingTaskId?: string | undefined;
}

/** Builds the packet from the current journals of a session. */
export async function buildPacket(
  store: Store,
  query: PacketQuery,
  subject: PacketSubject,
  writer?: PacketWriter,
): Promise<JsonObject> {
  const { owner, contextId, askingTaskId } = query;
  const session = await readSessionTasks(store, { owner, contextId });
  const { tasks } = session;
  const taskId = query.taskId ?? likelyTask(tasks, askingTaskId)?.taskId;
  const evidence = taskId && (await readEvidence(store, { taskId, session, isQuestion }));
  const others = tasks.filter((header) => header.taskId !== taskId && header.taskId !== askingTaskId);
  const earlier = await Promise.all(others.slice(0, MAX_TASKS).map((header) => earlierTask(store, header)));
  const packet = witnessPacket(subject, evidence || undefined, earlier);
  if (writer === undefined || !evidence) return packet;
  const before = tasks.filter((header) => header.taskId !== askingTaskId);
  const said = before.length > 0 ? before : tasks;
  return withModelsWords(packet, evidence, await writePacket(store, writer, evidence, said));
}

/**
 * The packet with the sentences of a model where it wrote any. What the rules found open is told in any case, in the words of
 * the report.
 */
function withModelsWords(packet: JsonObject, evidence: Evidence, written: WrittenPacket): JsonObject {
  const { claims, next, risk, writtenBy } = written;
  if (claims.length === 0) return { ...packet, written_by: writtenBy };
  const told = claims.map(({ text }) => text);
  const remember = [...told, ...listed('Open', texts(evidence.remaining))].join('\n');
  return {
    ...packet,
    next_agent_should_remember: remember,
    exact_next_action: next?.text ?? packet['exact_next_action'],
    risk_to_watch: risk?.text ?? packet['risk_to_watch'],
    written_by: writtenBy,
  };
}

/** Whether a message asks for a packet, and says nothing else. */
function isQuestion(text: string): boolean {
  return (
    text.length <= LONGEST_QUESTION &&
    text
      .split(/(?<=[.!?])\s|\n/)
      .every(
        (sentence) =>
          asksForPacket({}, sentence) ||
          asksHub(sentence) ||
          isSmallTalk(sentence) ||
          sentence.startsWith('Focus: '),
      )
  );
}
const LONGEST_QUESTION = 1_000;

/** The newest unfinished task, otherwise the newest, otherwise the one that asks. */
function likelyTask(tasks: readonly TaskHeader[], askingTaskId: string | undefined): TaskHeader | undefined {
  const others = tasks.filter(({ taskId }) => taskId !== askingTaskId);
  return others.find(({ state }) => state !== 'TASK_STATE_COMPLETED') ?? others[0] ?? tasks[0];
}

/** The agent and session a packet is about. */
export interface PacketSubject {
  readonly sessionId: string;
  readonly agentId: string;
  readonly controllerId: string | null;
  readonly sessionResolution: JsonObject;
  readonly responseMode: string;
}

/** With the ellipsis, as below. */
const MAX_TOPIC_LENGTH = 121;
const MAX_LISTED = 10;
const DIGEST_SHOWN = 12;

/**
 * The hand-off packet with its JSON field names. Every statement comes from `evidence`, which names the source of each
 * fact; a session without work has none.
 */
function witnessPacket(
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

function topicOf({ request, last_report, task_id }: Evidence): string {
  const [line = ''] = (request?.text ?? last_report?.text ?? '').split('\n');
  return line === '' ? `task ${task_id}` : shorten(line, MAX_TOPIC_LENGTH);
}

function toRemember(evidence: Evidence): string {
  const { request, last_report: lastReport, last_messages: messages, artifacts } = evidence;
  const own = request === null && lastReport !== null ? [lastReport] : [];
  const [newest, ...before] = messages.length > 0 ? messages : own;
  const made = artifacts.map(({ name, artifact_id, complete, parts }) => {
    const digests = parts.map(
      ({ bytes, sha256 }) => `${bytes} bytes, sha256 ${sha256.slice(0, DIGEST_SHOWN)}…`,
    );
    return `${name ?? artifact_id} (${complete ? '' : 'unfinished, '}${digests.join('; ')})`;
  });
  return [
    ...(request === null ? [] : [`Asked: ${request.text}`]),
    ...listed('Last report', newest === undefined ? [] : [newest.text]),
    ...listed('Reported before that', texts(before)),
    ...listed('Done', texts(evidence.done)),
    ...listed('Decided', texts(evidence.decisions)),
    ...listed('Open', texts(evidence.remaining.filter(({ text }) => text !== request?.text))),
    ...listed('Unanswered', texts(evidence.open_questions)),
    ...listed('Risks', texts(evidence.risks)),
    ...listed(
      evidence.last_error_resolved === null ? 'Last error' : 'Last error, reported as resolved',
      evidence.last_error === null ? [] : [evidence.last_error.text],
    ),
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

/** A summary of another task in the session. */
export interface EarlierTask {
  task_id: string;
  state: TaskState;
  request: Fact | null;
  /** The last status message of the agent. */
  last_words: Fact | null;
}

const MAX_TASKS = 10;
const MAX_TEXT_LENGTH = 301;

/** Costs two reads. */
async function earlierTask(store: Store, header: TaskHeader): Promise<EarlierTask> {
  const { taskId, state, lastSequence } = header;
  const [first] = await store.readEvents(taskId, 0, 1);
  const last = await store.readStatusEvent(taskId, lastSequence);
  return {
    task_id: taskId,
    state,
    request: first === undefined ? null : requestOf(taskId, first),
    last_words: last === undefined ? null : lastWordsOf(taskId, last),
  };
}

function requestOf(taskId: string, { json, sequence }: CommittedEvent): Fact | null {
  const event = JSON.parse(json) as StreamResponse;
  const message = 'task' in event ? event.task.history?.[0] : undefined;
  return message === undefined ? null : fact(textOfParts(message.parts), 'user', taskId, sequence);
}

function lastWordsOf(taskId: string, { json, sequence }: CommittedEvent): Fact | null {
  const event = JSON.parse(json) as StreamResponse;
  const message = 'statusUpdate' in event ? event.statusUpdate.status.message : undefined;
  return message === undefined ? null : fact(textOfParts(message.parts), 'agent', taskId, sequence);
}

function fact(text: string, by: Fact['by'], taskId: string, sequence: number): Fact | null {
  if (text === '') return null;
  return { text: reportedWords(text, MAX_TEXT_LENGTH), by, source: { task_id: taskId, sequence } };
}

const PACKET_NAMES: ReadonlySet<unknown> = new Set([
  'handoff',
  'handoff_packet',
  'witness_handoff',
  'continuity_packet',
]);
const NAMING_FIELDS = ['packet', 'response_contract'];
const FLAGS = ['handoff', 'handoff_packet', 'include_handoff', 'include_handoff_packet'];

/** The parameters of a message that ask for a packet. */
export const PACKET_ARGUMENTS: readonly string[] = [...NAMING_FIELDS, ...FLAGS];

const PHRASES =
  /\bhand(?:ing)?[- ]?(?:off|over)\b|\bnext agent\b|\bshould remember\b|\brisk to watch\b|\bpróximo agente\b|\bproximo agente\b|\bpassagem de (?:bastão|bastao|turno)\b|\bdeve lembrar\b|\brisco a observar\b/iu;

/** Whether a request asks for a hand-off packet: by name, by a flag, or in the text of the message. */
export function asksForPacket(params: JsonObject, text: string): boolean {
  if (NAMING_FIELDS.some((field) => PACKET_NAMES.has(params[field]))) return true;
  if (FLAGS.some((field) => params[field] === true)) return true;
  return PHRASES.test(text);
}
