import { isInterrupted, isTerminal } from '@holdword/protocol';
import { taskSchema } from '@holdword/protocol/internal';
import type { Store, TaskHeader } from '@holdword/store';
import { z } from 'zod';
import { EvidenceCollector, type Collected } from './collect-evidence.ts';
import type { Conclusion, Confidence, Evidence, Fact, NoteKind } from './evidence.ts';

const PAGE = 512;

const snapshotSchema = z.object({ task: taskSchema });

/** Reads the evidence in the committed journal of a task; undefined if the task does not exist. */
export async function readEvidence(store: Store, taskId: string): Promise<Evidence | undefined> {
  const header = await store.readTask(taskId);
  if (header === undefined) return undefined;
  const collector = new EvidenceCollector(taskId);
  let cursor = 0;
  if (header.firstSequence > 1) {
    const snapshot = await store.readSnapshot(taskId);
    if (snapshot !== undefined) {
      collector.takeTask(snapshotSchema.parse(JSON.parse(snapshot.json)).task, snapshot.sequence);
      cursor = snapshot.sequence;
    }
  }
  // Stops at the header's last event, so that state and facts are consistent.
  while (cursor < header.lastSequence) {
    const events = await store.readEvents(taskId, cursor, Math.min(PAGE, header.lastSequence - cursor));
    if (events.length === 0) break;
    for (const event of events) {
      collector.apply(event);
      cursor = event.sequence;
    }
  }
  return concludeEvidence(collector.collected(), header);
}

const MAX_FACTS = 50;

/** Draws conclusions from the facts: what remains, what to do next, the risk, and the confidence. */
function concludeEvidence(collected: Collected, header: TaskHeader): Evidence {
  const { request, progress, question, artifacts } = collected;
  const done = doneFacts(collected, header);
  const lists = {
    done,
    remaining: remainingFacts(collected, done, header),
    decisions: noted(collected, 'decisions'),
    open_questions: openQuestions(collected, question),
  };
  const next = nextAction(collected, lists.remaining, header);
  const complete = header.firstSequence === 1;
  return {
    task_id: header.taskId,
    context_id: header.contextId,
    state: header.state,
    events: { first: header.firstSequence, last: header.lastSequence, complete },
    request,
    done: lists.done.slice(-MAX_FACTS),
    progress,
    remaining: lists.remaining.slice(0, MAX_FACTS),
    decisions: lists.decisions.slice(-MAX_FACTS),
    open_questions: lists.open_questions.slice(-MAX_FACTS),
    last_error: lastError(collected),
    artifacts: isDone(header) ? artifacts.map((artifact) => ({ ...artifact, complete: true })) : artifacts,
    exact_next_action: next,
    risk_to_watch: riskToWatch(collected),
    confidence: confidenceIn(next, header),
    omitted: { ...collected.omitted, ...tooMany(lists) },
  };
}

function doneFacts(collected: Collected, header: TaskHeader): Fact[] {
  const done: Fact[] = noted(collected, 'done');
  if (isDone(header) && collected.outcome !== null) done.push(collected.outcome);
  return done;
}

/** Items noted as open and not as done; without any, the request itself if it is not answered. */
function remainingFacts(collected: Collected, done: readonly Fact[], header: TaskHeader): Fact[] {
  const finished = new Set(done.map(({ text }) => text));
  const open = noted(collected, 'remaining').filter(({ text }) => !finished.has(text));
  if (open.length > 0 || isDone(header) || collected.request === null) return open;
  return [collected.request];
}

function openQuestions(collected: Collected, question: Fact | null): Fact[] {
  const asked: Fact[] = noted(collected, 'questions');
  if (question === null || asked.some(({ text }) => text === question.text)) return asked;
  return [...asked, question];
}

function lastError(collected: Collected): Fact | null {
  return latest([...noted(collected, 'error'), ...(collected.error === null ? [] : [collected.error])]);
}

function nextAction(collected: Collected, remaining: readonly Fact[], header: TaskHeader): Conclusion {
  const { request, question } = collected;
  const instruction = latest(noted(collected, 'next'));
  // The later one wins: a question asked after the note must be answered first.
  if (question !== null && latest([question, instruction]) === question) {
    return { ...question, text: `Answer: ${question.text}`, by: 'hub', basis: 'question' };
  }
  if (isTerminal(header.state) && header.state === 'TASK_STATE_COMPLETED') return ended(header);
  if (instruction !== null) return { ...instruction, basis: 'noted' };
  const [first] = remaining;
  if (first !== undefined && first !== request) return { ...first, basis: 'remaining' };
  if (request === null) return ended(header);
  return { ...request, text: `Continue with the request: ${request.text}`, by: 'hub', basis: 'request' };
}

function ended({ taskId, state, lastSequence }: TaskHeader): Conclusion {
  return {
    text: `Nothing is left to do: the task ended in state ${state}.`,
    by: 'hub',
    source: { task_id: taskId, sequence: lastSequence },
    basis: 'state',
  };
}

function riskToWatch(collected: Collected): Conclusion | null {
  const risk = latest(noted(collected, 'risk'));
  if (risk !== null) return { ...risk, basis: 'noted' };
  const error = lastError(collected);
  return error && { ...error, text: `This error may recur: ${error.text}`, by: 'hub', basis: 'error' };
}

function confidenceIn(next: Conclusion, header: TaskHeader): Confidence {
  const { firstSequence, lastSequence, taskId, state } = header;
  const complete = firstSequence === 1;
  const atRest = isTerminal(state) || isInterrupted(state);
  const reasons = [
    complete
      ? `all ${lastSequence} events of task ${taskId}`
      : `events ${firstSequence} to ${lastSequence} of task ${taskId}; earlier ones were deleted by retention`,
    `the next action is ${BASIS_WORDS[next.basis]} (sequence ${next.source.sequence})`,
    atRest ? `the task is not running (${state})` : `the task is running (${state}); more may follow`,
  ];
  const high = complete && atRest && next.basis !== 'request';
  return { level: high ? 'high' : 'medium', rests_on: reasons };
}

const BASIS_WORDS: Readonly<Record<Conclusion['basis'], string>> = {
  noted: 'noted in the journal',
  question: "the agent's open question",
  remaining: 'the first item noted as open',
  error: 'taken from the last error',
  state: 'derived from the state of the task',
  request: 'the request itself, because nothing more specific was noted',
};

function isDone({ state }: TaskHeader): boolean {
  return state === 'TASK_STATE_COMPLETED';
}

function noted({ notes }: Collected, kind: NoteKind): Fact[] {
  return notes.filter((note) => note.kind === kind).map(({ text, by, source }) => ({ text, by, source }));
}

function latest(facts: readonly (Fact | null)[]): Fact | null {
  return facts.reduce<Fact | null>(
    (last, fact) =>
      fact !== null && (last === null || fact.source.sequence >= last.source.sequence) ? fact : last,
    null,
  );
}

function tooMany(lists: Readonly<Record<string, readonly Fact[]>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(lists)
      .filter(([, facts]) => facts.length > MAX_FACTS)
      .map(([name, facts]) => [name, facts.length - MAX_FACTS]),
  );
}
