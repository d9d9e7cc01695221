import { isInterrupted, isTerminal } from '@holdword/protocol';
import type { TaskHeader } from '@holdword/store';
import type { Collected, NotedFact } from './collect-evidence.ts';
import type { Conclusion, Confidence, Evidence, Fact, NoteKind } from './evidence.ts';
import { meansNothing } from './note-words.ts';

/** What was collected from one task. */
export interface TaskEvidence {
  readonly header: TaskHeader;
  readonly collected: Collected;
}

/** The tasks of a session, oldest first, with the one that is handed over. */
export interface SessionEvidence {
  readonly tasks: readonly TaskEvidence[];
  readonly main: TaskEvidence;
  /** Whether a message only asks for the packet: then it is no report. */
  readonly isQuestion: (text: string) => boolean;
}

const MAX_FACTS = 50;

/** Draws conclusions from the facts: what remains, what to do next, the risk, and the confidence. */
export function concludeEvidence(session: SessionEvidence): Evidence {
  const { header, collected } = session.main;
  const facts = new SessionFacts(session);
  const remaining = facts.remaining();
  const lists = {
    done: facts.done(),
    remaining,
    decisions: facts.noted('decisions'),
    open_questions: facts.openQuestions(),
  };
  const next = nextAction(facts, remaining, session.main);
  return {
    task_id: header.taskId,
    context_id: header.contextId,
    state: header.state,
    events: { first: header.firstSequence, last: header.lastSequence, complete: header.firstSequence === 1 },
    request: collected.isAdvice ? null : collected.request,
    last_report: facts.lastReport,
    done: lists.done.slice(-MAX_FACTS),
    progress: collected.progress,
    remaining: remaining.slice(0, MAX_FACTS),
    decisions: lists.decisions.slice(-MAX_FACTS),
    open_questions: lists.open_questions.slice(-MAX_FACTS),
    last_error: facts.lastError(),
    artifacts: session.tasks.flatMap(({ header: { state }, collected: { artifacts } }) =>
      artifacts.map((each) => ({ ...each, complete: each.complete || state === 'TASK_STATE_COMPLETED' })),
    ),
    exact_next_action: next,
    risk_to_watch: riskToWatch(facts),
    confidence: confidenceIn(next, session.main, facts),
    omitted: { ...collected.omitted, ...tooMany(lists) },
  };
}

/** The facts of all tasks of a session, in their order. */
class SessionFacts {
  readonly lastReport: Fact | null;
  readonly #tasks: readonly TaskEvidence[];
  readonly #main: TaskEvidence;
  readonly #notes: readonly NotedFact[];
  /** The place of a fact in the session: its task, then its event. */
  readonly #order: ReadonlyMap<string, number>;

  constructor({ tasks, main, isQuestion }: SessionEvidence) {
    this.#tasks = tasks;
    this.#main = main;
    this.#order = new Map(tasks.map(({ header }, index) => [header.taskId, index]));
    this.#notes = tasks.flatMap(({ collected }) => collected.notes);
    const messages = tasks.flatMap(({ collected }) => collected.messages);
    this.lastReport =
      messages.findLast((fact) => this.#isReport(fact)) ??
      messages.findLast(({ text }) => text !== '' && !isQuestion(text)) ??
      null;
  }

  #isReport(fact: Fact): boolean {
    return this.#notes.some((note) => isSameEvent(note, fact));
  }

  noted(kind: NoteKind): Fact[] {
    return this.#notes
      .filter((note) => note.kind === kind)
      .map(({ text, by, source }) => ({ text, by, source }));
  }

  /** What is noted as done, and the answers of tasks that an agent has completed without noting anything in them. */
  done(): Fact[] {
    const answers = this.#tasks.flatMap(({ header, collected: { outcome } }) =>
      header.state === 'TASK_STATE_COMPLETED' && outcome !== null && !this.#isReport(outcome)
        ? [outcome]
        : [],
    );
    const said = this.noted('done').filter(({ text }) => !meansNothing(text));
    return this.#inOrder([...said, ...answers]);
  }

  /**
   * What is noted as open and not as done since, and the steps that were noted after the next one; without any, the request that is handed over if it has no answer. A new list
   * replaces the one before it by the same writer; an item of a check list stays open until it is checked.
   */
  remaining(): Fact[] {
    let open: NotedFact[] = [];
    for (const note of this.#notes) {
      if (note.kind === 'done') open = open.filter(({ text }) => !isSame(text, note.text));
      if (note.kind !== 'remaining') continue;
      open = open.filter(
        (other) => isSameEvent(other, note) || other.isItem === true || other.by !== note.by,
      );
      if (meansNothing(note.text)) open = [];
      else open = [...open.filter(({ text }) => !isSame(text, note.text)), note];
    }
    // The first instruction is the next action; those after it are work as well.
    const later = this.#instructions()
      .slice(1)
      .filter(({ text }) => !open.some((item) => isSame(item.text, text)));
    if (open.length + later.length > 0)
      return [...open.map(({ text, by, source }) => ({ text, by, source })), ...later];
    const { header, collected } = this.#main;
    const isAnswered = header.state === 'TASK_STATE_COMPLETED' || collected.isAdvice;
    return isAnswered || collected.request === null || this.saysNothingIsLeft ? [] : [collected.request];
  }

  /** Whether the newest word on what is left is that nothing is. */
  get saysNothingIsLeft(): boolean {
    const last = this.#notes.findLast(({ kind }) => kind === 'remaining');
    return last !== undefined && meansNothing(last.text);
  }

  /** Noted questions, and those that a task waits for. */
  openQuestions(): Fact[] {
    const asked = this.noted('questions');
    const waiting = this.#tasks.flatMap(({ header, collected: { question } }) =>
      question !== null && isInterrupted(header.state) ? [question] : [],
    );
    return this.#inOrder([
      ...asked,
      ...waiting.filter(({ text }) => !asked.some((other) => other.text === text)),
    ]);
  }

  /** The question that a task waits for. */
  get question(): Fact | null {
    const { header, collected } = this.#main;
    return isInterrupted(header.state) ? collected.question : null;
  }

  /** The first of the newest noted instructions. */
  get instruction(): Fact | null {
    return this.#instructions()[0] ?? null;
  }

  /**
   * The steps of the newest report that says what comes next, in their order: those that were not done since, and none if a later
   * report says what is left without repeating them.
   */
  #instructions(): Fact[] {
    const noted = this.noted('next').filter(({ text }) => !meansNothing(text));
    const newest = this.latest(noted);
    if (newest === null || this.saysNothingIsLeft) return [];
    const left = this.latest(this.noted('remaining'));
    if (left !== null && this.latest([newest, left]) === left && !isSameEvent(left, newest)) return [];
    const done = this.noted('done');
    return noted.filter(
      (step) => isSameEvent(step, newest) && !done.some(({ text }) => isSame(text, step.text)),
    );
  }

  lastError(): Fact | null {
    const failures = this.#tasks.map(({ collected }) => collected.error);
    return this.latest([...this.noted('error'), ...failures].filter((fact) => fact !== null));
  }

  /** The latest of facts; of two in one event, the last. */
  latest(facts: readonly (Fact | null)[]): Fact | null {
    return this.#inOrder(facts.filter((fact) => fact !== null)).at(-1) ?? null;
  }

  #inOrder(facts: readonly Fact[]): Fact[] {
    const taskOf = ({ source }: Fact): number => this.#order.get(source.task_id) ?? 0;
    return facts.toSorted(
      (left, right) => taskOf(left) - taskOf(right) || left.source.sequence - right.source.sequence,
    );
  }
}

function isSameEvent(left: Fact, right: Fact): boolean {
  return left.source.task_id === right.source.task_id && left.source.sequence === right.source.sequence;
}

/** The same item, however it is punctuated. */
function isSame(left: string, right: string): boolean {
  return wordsOf(left) === wordsOf(right);
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function nextAction(
  facts: SessionFacts,
  remaining: readonly Fact[],
  { header, collected }: TaskEvidence,
): Conclusion {
  const { question, instruction, lastReport } = facts;
  const { request } = collected;
  // The later one wins: a question asked after the note must be answered first.
  if (question !== null && facts.latest([instruction, question]) === question) {
    return { ...question, text: `Answer: ${question.text}`, by: 'hub', basis: 'question' };
  }
  if (instruction !== null) return { ...instruction, basis: 'noted' };
  const [first] = remaining;
  if (first !== undefined && first !== request) return { ...first, basis: 'remaining' };
  if (facts.saysNothingIsLeft) return nothingLeft('Nothing is left to do, as the last report says.', header);
  const isAnswered = header.state === 'TASK_STATE_COMPLETED' && !collected.isAdvice;
  if (isAnswered)
    return nothingLeft(`Nothing is left to do: the task ended in state ${header.state}.`, header);
  if (request !== null && !collected.isAdvice) {
    return { ...request, text: `Continue with the request: ${request.text}`, by: 'hub', basis: 'request' };
  }
  if (lastReport === null) {
    const text = 'Ask the agent what is left to do: it has reported nothing.';
    return { ...nothingLeft(text, header), basis: 'report' };
  }
  const text = `Ask what is left to do. The last report says only: ${lastReport.text}`;
  return { ...lastReport, text, by: 'hub', basis: 'report' };
}

function nothingLeft(text: string, { taskId, lastSequence }: TaskHeader): Conclusion {
  return { text, by: 'hub', source: { task_id: taskId, sequence: lastSequence }, basis: 'state' };
}

function riskToWatch(facts: SessionFacts): Conclusion | null {
  const risk = facts.latest(facts.noted('risk').filter(({ text }) => !meansNothing(text)));
  if (risk !== null) return { ...risk, basis: 'noted' };
  const error = facts.lastError();
  return error && { ...error, text: `This error may recur: ${error.text}`, by: 'hub', basis: 'error' };
}

/** High if the whole journal was read, nothing is running, and somebody wrote down what to do. */
function confidenceIn(next: Conclusion, { header }: TaskEvidence, facts: SessionFacts): Confidence {
  const { firstSequence, lastSequence, taskId, state } = header;
  const isComplete = firstSequence === 1;
  const isAtRest = isTerminal(state) || isInterrupted(state);
  const isWritten = next.basis === 'noted' || next.basis === 'question' || next.basis === 'remaining';
  const reasons = [
    isComplete
      ? `all ${lastSequence} events of task ${taskId}`
      : `events ${firstSequence} to ${lastSequence} of task ${taskId}; earlier ones were deleted by retention`,
    `the next action is ${BASIS_WORDS[next.basis]} (task ${next.source.task_id}, sequence ${next.source.sequence})`,
    isAtRest ? `the task is not running (${state})` : `the task is running (${state}); more may follow`,
  ];
  const isEnded = next.basis === 'state' && (facts.saysNothingIsLeft || state === 'TASK_STATE_COMPLETED');
  const isHigh = isComplete && isAtRest && (isWritten || isEnded);
  return { level: isHigh ? 'high' : 'medium', rests_on: reasons };
}

const BASIS_WORDS: Readonly<Record<Conclusion['basis'], string>> = {
  noted: 'noted in the journal',
  question: "the agent's open question",
  remaining: 'the first item noted as open',
  error: 'taken from the last error',
  state: 'derived from the state of the task',
  request: 'the request itself, because nothing more specific was noted',
  report: 'a question, because no report says what is left',
};

function tooMany(lists: Readonly<Record<string, readonly Fact[]>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(lists)
      .filter(([, facts]) => facts.length > MAX_FACTS)
      .map(([name, facts]) => [name, facts.length - MAX_FACTS]),
  );
}
