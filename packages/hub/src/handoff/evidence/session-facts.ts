import { isInterrupted } from '@holdword/protocol';
import type { TaskHeader } from '@holdword/store';
import type { NoteKind } from '../../notes/note.ts';
import { isBareOutcome, isSmallTalk, namesPart } from '../../notes/speech-acts.ts';
import type { Collected, NotedFact } from './collect-evidence.ts';
import type { Fact, ReportedMessage } from './evidence.ts';
import { withoutUndoing } from '../../notes/sentence-notes.ts';
import { covers, isNewCount, isSame, sharesWord, withoutCovered } from './same-work.ts';

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
  /** How many older tasks of the session were not read. */
  readonly unreadTasks: number;
}

const MAX_MESSAGES = 5;

/**
 * The facts of all tasks of a session, in their order: what the notes in it amount to. A later note changes what earlier ones said,
 * and never more than it names.
 */
export class SessionFacts {
  /** The newest message that says something about the work, otherwise the newest that says anything. */
  readonly lastReport: Fact | null;
  /** The messages since the last one that was understood, and that one: newest first. */
  readonly lastMessages: readonly ReportedMessage[];
  readonly #tasks: readonly TaskEvidence[];
  readonly #main: TaskEvidence;
  readonly #notes: readonly NotedFact[];
  /** The events in which something was understood. */
  readonly #reports: ReadonlySet<string>;
  /** The place of a fact in the session: its task, then its event. */
  readonly #order: ReadonlyMap<string, number>;
  #open: NotedFact[] = [];
  #steps: NotedFact[] = [];
  #done: NotedFact[] = [];
  #questions: NotedFact[] = [];
  #risks: NotedFact[] = [];
  #error: NotedFact | undefined;
  #resolved: NotedFact | undefined;
  /** The notes that took something back. */
  readonly #corrections = new Set<NotedFact>();

  constructor({ tasks, main, isQuestion }: SessionEvidence) {
    this.#tasks = tasks;
    this.#main = main;
    this.#order = new Map(tasks.map(({ header }, index) => [header.taskId, index]));
    this.#notes = tasks.flatMap(({ collected: { notes, isAdvice } }) =>
      // What a user asks an agent, and the trouble it is asked to mend, are the request.
      notes.filter(
        ({ kind, isAdded }) => isAdvice || isAdded !== true || (kind !== 'error' && kind !== 'questions'),
      ),
    );
    // A question or "that worked" alone says nothing about the work.
    const understood = this.#notes.filter(
      (note) => !(note.kind === 'questions' && note.isAdded === true) && !isPraise(note),
    );
    this.#reports = new Set(understood.map(eventOf));
    for (const note of this.#notes) this.#take(note);
    const messages = tasks.flatMap(({ collected }) => collected.messages).filter(({ text }) => text !== '');
    const saying = messages.filter(
      (fact) =>
        this.#isReport(fact) ||
        !(isQuestion(fact.text) || isSmallTalk(fact.text) || isBareOutcome(fact.text)),
    );
    this.lastReport = saying.at(-1) ?? messages.findLast(({ text }) => !isQuestion(text)) ?? null;
    this.lastMessages = this.#lastOf(saying);
  }

  /** What was said to an agent that works is no report, unless reports came before. */
  #lastOf(saying: readonly Fact[]): ReportedMessage[] {
    const understood = saying.findLastIndex((fact) => this.#isReport(fact));
    const isReporting = understood !== -1 || this.#main.collected.isAdvice;
    if (!isReporting) return [];
    return saying
      .slice(Math.max(0, understood))
      .toReversed()
      .slice(0, MAX_MESSAGES)
      .map((fact) => ({ ...fact, understood: this.#isReport(fact) }));
  }

  /** Whether something in a message was understood. */
  #isReport(fact: Fact): boolean {
    return this.#reports.has(eventOf(fact));
  }

  #take(note: NotedFact): void {
    if (note.answers === true) this.#answer(note);
    if (note.kind === 'done') this.#takeDone(note);
    if (note.kind === 'remaining') this.#takeRemaining(note);
    if (note.kind === 'next' && note.isNone !== true)
      this.#steps = [...this.#steps.filter((step) => isSameEvent(step, note)), note];
    if (note.kind === 'risk') this.#takeRisk(note);
    if (note.kind === 'error') this.#takeError(note);
    if (note.kind === 'questions') this.#questions = note.isNone === true ? [] : [...this.#questions, note];
    if (note.kind === 'decisions') this.#questions = this.#questions.filter((asked) => !decides(note, asked));
  }

  #takeDone(note: NotedFact): void {
    if (note.isNone === true) return;
    if (note.resolves === true && this.#error !== undefined && ends(note, this.#error)) this.#resolved = note;
    if (isPraise(note)) return;
    const isUndoing = note.takesBack === true && this.#done.some(({ text }) => sharesWord(text, note.text));
    if (isUndoing) {
      this.#corrections.add(note);
      const undone = { ...note, text: withoutUndoing(note.text) };
      this.#done = this.#done.flatMap((item) =>
        covers(undone.text, item.text) ? item : reduced(item, undone),
      );
    }
    if (note.isBare !== true) {
      this.#open = this.#open.flatMap((item) => reduced(item, note));
      this.#steps = this.#steps.flatMap((item) => reduced(item, note));
    }
    this.#done.push(note);
  }

  /**
   * A list of what is left replaces the one before it by the same writer; a sentence adds to it. An item of a check list stays open
   * until it is checked.
   */
  #takeRemaining(note: NotedFact): void {
    if (note.isNone === true) {
      this.#open = this.#open.filter((item) => isSameEvent(item, note));
      this.#steps = this.#steps.filter((step) => isSameEvent(step, note));
      return;
    }
    const done = this.#done.filter((each) => isSameEvent(each, note) || !isTakenBack(each, note));
    if (done.length < this.#done.length) this.#corrections.add(note);
    this.#done = done;
    if (note.isAdded !== true) {
      this.#open = this.#open.filter(
        (item) => isSameEvent(item, note) || item.isItem === true || item.by !== note.by,
      );
      this.#steps = this.#steps.filter((step) => isSameEvent(step, note));
    }
    const isReplaced = ({ text, ...item }: NotedFact): boolean =>
      isSame(text, note.text) ||
      (item.isAdded === true && note.isAdded === true && isNewCount(note.text, text));
    this.#open = [...this.#open.filter((item) => !isReplaced(item)), note];
  }

  #takeRisk(note: NotedFact): void {
    if (note.isNone === true) {
      this.#risks = [];
      return;
    }
    this.#risks = [...this.#risks.filter(({ text }) => !isSame(text, note.text)), note];
    if (note.takesBack !== true) return;
    const isKept = (item: NotedFact): boolean => isSameEvent(item, note) || !covers(note.text, item.text);
    const [open, steps] = [this.#open.filter(isKept), this.#steps.filter(isKept)];
    if (open.length + steps.length < this.#open.length + this.#steps.length) this.#corrections.add(note);
    this.#open = open;
    this.#steps = steps;
  }

  #takeError(note: NotedFact): void {
    if (note.isNone === true) this.#resolved = note;
    else {
      this.#error = note;
      this.#resolved = undefined;
    }
  }

  /** An answer closes the question that shares its words, otherwise the last one. */
  #answer(note: NotedFact): void {
    const asked =
      this.#questions.findLast((each) => !isSameEvent(each, note) && sharesWord(each.text, note.text)) ??
      this.#questions.findLast((each) => !isSameEvent(each, note));
    this.#questions = this.#questions.filter((each) => each !== asked);
    this.#open = this.#open.filter((item) => item.isWaiting !== true || !sharesWord(item.text, note.text));
  }

  noted(kind: NoteKind): Fact[] {
    return this.#notes.filter((note) => note.kind === kind && note.isNone !== true).map(factOf);
  }

  /** What is noted as done, and the answers of tasks that an agent has completed without noting anything in them. */
  done(): Fact[] {
    const answers = this.#tasks.flatMap(({ header, collected: { outcome } }) =>
      header.state === 'TASK_STATE_COMPLETED' && outcome !== null && !this.#isReport(outcome)
        ? [outcome]
        : [],
    );
    return this.#inOrder([...this.#done.map(factOf), ...answers]);
  }

  /**
   * What is noted as open and not as done since, and the steps that were noted after the next one; without any, the request that is
   * handed over if it has no answer.
   */
  remaining(): Fact[] {
    const later = this.#steps
      .slice(1)
      .filter(({ text }) => !this.#open.some((item) => isSame(item.text, text)));
    if (this.#open.length + later.length > 0) return [...this.#open, ...later].map(factOf);
    const { header, collected } = this.#main;
    const isAnswered = header.state === 'TASK_STATE_COMPLETED' || collected.isAdvice;
    const isClosed = this.saysNothingIsLeft || this.#corrections.size > 0;
    return isAnswered || collected.request === null || isClosed ? [] : [collected.request];
  }

  /** Whether the newest word on what is left is that nothing is. */
  get saysNothingIsLeft(): boolean {
    const last = this.#notes.findLast(({ kind, isNone }) =>
      kind === 'next' ? isNone !== true : kind === 'remaining',
    );
    return last?.isNone === true && this.#open.length === 0;
  }

  /** Noted questions that were not answered, and those that a task waits for. */
  openQuestions(): Fact[] {
    const asked = this.#questions.map(factOf);
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

  /** The first step of the newest report that says what comes next, unless it is done or a later list does not repeat it. */
  get instruction(): Fact | null {
    const [first] = this.#steps;
    return first === undefined ? null : factOf(first);
  }

  /** What the newest report says that comes before any plan: what it waits for, or corrects. */
  get firstConcern(): Fact | null {
    const inLast = this.#inLastReport();
    if (inLast.some(isPlan)) return null;
    const concern =
      inLast.find((note) => note.isWaiting) ??
      inLast.find((note) => note.kind === 'remaining' && this.#corrections.has(note));
    return concern === undefined ? null : factOf(concern);
  }

  /** Whether the newest report may change the plan: it was not understood, or tells of trouble and not of the work. */
  get isPlanInDoubt(): boolean {
    const [newest] = this.lastMessages;
    if (newest === undefined) return false;
    if (!newest.understood) return true;
    const inLast = this.#inLastReport();
    const isCorrecting = inLast.some((note) => note.kind !== 'remaining' && this.#corrections.has(note));
    if (isCorrecting && !inLast.some(isPlan)) return true;
    const isAboutWork = inLast.some(({ kind }) => WORK.has(kind));
    // "Done.": nobody knows of what.
    const isUnclear = isAboutWork && inLast.every(({ kind, isBare }) => !WORK.has(kind) || isBare === true);
    if (isUnclear && this.#open.length + this.#steps.length > 0) return true;
    return (
      !isAboutWork &&
      inLast.some(({ kind, isAdded }) => kind === 'error' || (kind === 'risk' && isAdded === true))
    );
  }

  #inLastReport(): NotedFact[] {
    const [newest] = this.lastMessages;
    return newest === undefined
      ? []
      : this.#notes.filter((note) => isSameEvent(note, newest) && note.isNone !== true);
  }

  /** The newest first. */
  risks(): Fact[] {
    return this.#risks.toReversed().map(factOf);
  }

  lastError(): Fact | null {
    const failures = this.#tasks.map(({ collected }) => collected.error);
    return this.latest([this.#error === undefined ? null : factOf(this.#error), ...failures]);
  }

  /** What says that the last error is over. */
  errorResolved(): Fact | null {
    const error = this.lastError();
    if (error === null || this.#resolved === undefined) return null;
    return this.latest([error, this.#resolved]) === error && !isSameEvent(error, this.#resolved)
      ? null
      : factOf(this.#resolved);
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

/** "That worked, thanks": praise names no work. */
function isPraise({ isBare, resolves }: NotedFact): boolean {
  return isBare === true && resolves === true;
}

/** Whether a note says what comes next, or lists all that is left. */
function isPlan({ kind, isAdded }: NotedFact): boolean {
  return kind === 'next' || (kind === 'remaining' && isAdded !== true);
}

const WORK: ReadonlySet<NoteKind> = new Set(['done', 'remaining', 'next']);

function factOf({ text, by, source }: Fact): Fact {
  return { text, by, source };
}

function eventOf({ source }: Fact): string {
  return `${source.task_id}/${source.sequence}`;
}

function isSameEvent(left: Fact, right: Fact): boolean {
  return left.source.task_id === right.source.task_id && left.source.sequence === right.source.sequence;
}

/** An item without what a statement says is done. */
function reduced(item: NotedFact, { text }: NotedFact): NotedFact[] {
  const left = withoutCovered(item.text, text);
  if (left === undefined && namesPart(text) && !isSame(item.text, text)) return [item];
  return left === undefined ? [] : [left === item.text ? item : { ...item, text: left }];
}

/** What was done and is listed as left again, or said not to be done. A single word is not enough for that. */
function isTakenBack(done: NotedFact, note: NotedFact): boolean {
  return (
    isSame(done.text, note.text) ||
    (done.isItem !== true && /\S\s+\S/.test(done.text) && covers(note.text, done.text))
  );
}

function decides(decision: NotedFact, asked: NotedFact): boolean {
  return !isSameEvent(decision, asked) && covers(decision.text, asked.text);
}

const ABOUT_LAST = /^(?:it|that|this|everything|all|works|fixed|resolved|solved)(?!\p{L})/iu;

/** Whether a statement that something works again is about an error. */
function ends(note: NotedFact, error: NotedFact): boolean {
  return (
    sharesWord(note.text, error.text) ||
    ABOUT_LAST.test(note.text) ||
    note.source.task_id === error.source.task_id
  );
}
