import type { JournalEvent } from './task.ts';
import type { Timeline, TimelineItem } from './timeline.ts';

type Item<Kind extends TimelineItem['kind']> = Extract<TimelineItem, { kind: Kind }>;
type Status = Extract<JournalEvent['event'], { statusUpdate: unknown }>['statusUpdate']['status'];
type Message = NonNullable<Status['message']>;
type Artifact = Extract<JournalEvent['event'], { artifactUpdate: unknown }>['artifactUpdate']['artifact'];

const MOST_CHARACTERS = 300;
/** More items are forgotten, the oldest first, so that a task of any length takes bounded memory. */
const MOST_ITEMS = 20_000;

/**
 * Folds the events of a journal to the items of a timeline, one event at a time, in order. The server folds what is stored, and
 * the page continues the same fold with what is committed while it looks. It depends on nothing, so that it runs in both.
 *
 * Leaves to its caller to pass every event once (J2).
 */
export class TimelineFold {
  readonly #items: TimelineItem[] = [];
  #omitted = 0;
  #lastSequence = 0;
  /** The last time that is known. */
  #now: string | null = null;
  #state: Status['state'] | undefined;
  #turn: Item<'turn'> | undefined;
  #question: Item<'question'> | undefined;
  readonly #tools = new Map<string, Item<'tool'>>();
  readonly #artifacts = new Map<string, Item<'artifact'>>();
  /** What the next known time ends. */
  readonly #ending = new Set<TimelineItem>();

  /** Continues where a timeline ends. */
  static from({ items, omitted, lastSequence }: Timeline): TimelineFold {
    const fold = new TimelineFold();
    fold.#omitted = omitted;
    fold.#lastSequence = lastSequence;
    for (const item of items) fold.#restore({ ...item });
    return fold;
  }

  get lastSequence(): number {
    return this.#lastSequence;
  }

  /** In the order of their first events. The same objects each time: those that are still open change. */
  get items(): readonly TimelineItem[] {
    return this.#items;
  }

  /** How many items were forgotten. */
  get omitted(): number {
    return this.#omitted;
  }

  add({ sequence, event, input, takeover }: JournalEvent): void {
    if (sequence <= this.#lastSequence) return;
    this.#lastSequence = sequence;
    if ('artifactUpdate' in event) {
      const { artifact, append, lastChunk } = event.artifactUpdate;
      this.#addChunk(sequence, artifact, append === true, lastChunk === true);
      return;
    }
    if ('task' in event) {
      const { status, history = [], artifacts = [] } = event.task;
      this.#tell(status.timestamp);
      const message = history.find(({ role }) => role === 'ROLE_USER');
      if (message !== undefined) this.#beginTurn(sequence, message);
      for (const artifact of artifacts) this.#addChunk(sequence, artifact, false, true);
      this.#addStatus(sequence, status, undefined);
    } else if ('statusUpdate' in event) {
      const { status, metadata } = event.statusUpdate;
      this.#tell(status.timestamp);
      if (input !== null) this.#beginTurn(sequence, input);
      if (takeover !== null) this.#addRestart(sequence, takeover, status.message);
      this.#addStatus(sequence, status, metadata);
    }
  }

  /** Says that the events before `firstSequence` are no longer in the journal. */
  addGap(firstSequence: number): void {
    this.#push({ kind: 'gap', ...this.#spanAt(1), lastSequence: firstSequence - 1 });
  }

  #tell(time: string | undefined): void {
    if (time === undefined) return;
    this.#now = time;
    for (const item of this.#ending) item.endedAt = time;
    this.#ending.clear();
  }

  #spanAt(sequence: number) {
    return { firstSequence: sequence, lastSequence: sequence, startedAt: this.#now, endedAt: this.#now };
  }

  #openAt(sequence: number) {
    return { ...this.#spanAt(sequence), endedAt: null };
  }

  #beginTurn(sequence: number, message: Message): void {
    if (this.#question !== undefined) {
      this.#question.answeredBy = sequence;
      this.#question.endedAt = this.#now;
      this.#question = undefined;
    }
    const number = (this.#turn?.number ?? 0) + 1;
    this.#turn = {
      kind: 'turn',
      ...this.#openAt(sequence),
      number,
      text: textOf(message) ?? '',
      messageId: message.messageId,
      outcome: null,
    };
    this.#push(this.#turn);
  }

  #addRestart(
    sequence: number,
    { process, how }: NonNullable<JournalEvent['takeover']>,
    message: Message | undefined,
  ): void {
    this.#push({ kind: 'restart', ...this.#spanAt(sequence), process, how, text: textOf(message) });
  }

  #addStatus(sequence: number, { state, message }: Status, metadata: unknown): void {
    if (this.#turn !== undefined) this.#turn.lastSequence = sequence;
    const text = textOf(message);
    const wants = questionOf(state);
    if (wants !== undefined) {
      this.#question = {
        kind: 'question',
        ...this.#openAt(sequence),
        wants,
        text: text ?? '',
        answeredBy: null,
      };
      this.#push(this.#question);
      this.#endTurn(state);
    } else if (isEnd(state)) {
      this.#push({ kind: 'state', ...this.#spanAt(sequence), state, text });
      this.#endTurn(state);
    } else {
      const tool = toolOf(metadata);
      if (tool !== undefined) this.#addTool(sequence, tool, text);
      else if (state !== this.#state) this.#push({ kind: 'state', ...this.#spanAt(sequence), state, text });
      else if (text !== null) this.#push({ kind: 'message', ...this.#spanAt(sequence), text });
    }
    this.#state = state;
  }

  #endTurn(state: Status['state']): void {
    for (const tool of this.#tools.values()) tool.endedAt = this.#now;
    this.#tools.clear();
    if (this.#turn === undefined) return;
    this.#turn.outcome = state;
    this.#turn.endedAt = this.#now;
  }

  #addTool(sequence: number, { name, callId, phase }: ToolStep, text: string | null): void {
    const known = callId === null ? undefined : this.#tools.get(callId);
    const outcome = phase === 'error' ? 'failed' : phase === 'end' ? 'done' : 'running';
    if (known !== undefined) {
      known.lastSequence = sequence;
      known.outcome = outcome;
      known.text = text ?? known.text;
      if (outcome === 'running') return;
      known.endedAt = this.#now;
      this.#tools.delete(callId ?? '');
      return;
    }
    const isOpen = outcome === 'running' && callId !== null && phase !== undefined;
    const item: Item<'tool'> = {
      kind: 'tool',
      ...(isOpen ? this.#openAt(sequence) : this.#spanAt(sequence)),
      name,
      callId,
      text,
      outcome: isOpen || outcome !== 'running' ? outcome : 'done',
    };
    if (isOpen) this.#tools.set(callId, item);
    this.#push(item);
  }

  #addChunk(sequence: number, artifact: Artifact, append: boolean, isLast: boolean): void {
    const known = this.#artifacts.get(artifact.artifactId);
    const characters = sizeOf(artifact);
    if (known !== undefined && append) {
      known.lastSequence = sequence;
      known.chunks += 1;
      known.characters += characters;
      known.complete = isLast;
      known.endedAt = null;
      this.#ending.add(known);
      return;
    }
    const item: Item<'artifact'> = {
      kind: 'artifact',
      ...this.#openAt(sequence),
      artifactId: artifact.artifactId,
      name: artifact.name ?? null,
      version: (known?.version ?? 0) + 1,
      chunks: 1,
      characters,
      complete: isLast,
      late: artifact.metadata?.['late'] !== undefined,
    };
    this.#artifacts.set(artifact.artifactId, item);
    this.#ending.add(item);
    this.#push(item);
  }

  #push(item: TimelineItem): void {
    this.#items.push(item);
    if (this.#items.length <= MOST_ITEMS) return;
    this.#items.splice(0, MOST_ITEMS / 2);
    this.#omitted += MOST_ITEMS / 2;
  }

  #restore(item: TimelineItem): void {
    this.#items.push(item);
    const known = item.endedAt ?? item.startedAt;
    if (known !== null && (this.#now === null || known > this.#now)) this.#now = known;
    if (item.kind === 'turn') {
      this.#turn = item;
      this.#state = item.outcome ?? 'TASK_STATE_WORKING';
    } else if (item.kind === 'state') this.#state = item.state;
    else if (item.kind === 'question') this.#question = item.answeredBy === null ? item : undefined;
    else if (item.kind === 'tool' && item.outcome === 'running' && item.callId !== null)
      this.#tools.set(item.callId, item);
    else if (item.kind === 'artifact') {
      this.#artifacts.set(item.artifactId, item);
      if (item.endedAt === null) this.#ending.add(item);
    }
  }
}

interface ToolStep {
  name: string;
  callId: string | null;
  phase: string | undefined;
}

/** Agents report the steps of their tools in the metadata of a status, each in its own way. */
function toolOf(metadata: unknown): ToolStep | undefined {
  const tool: unknown = isRecord(metadata) ? metadata['tool'] : undefined;
  if (!isRecord(tool)) return undefined;
  const name = firstText(tool, ['name', 'title', 'kind']) ?? 'tool';
  return {
    name,
    callId: firstText(tool, ['callId', 'id']) ?? null,
    phase: firstText(tool, ['phase', 'status']),
  };
}

function firstText(record: Record<string, unknown>, names: readonly string[]): string | undefined {
  const name = names.find((each) => typeof record[each] === 'string');
  return name === undefined ? undefined : String(record[name]);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function questionOf(state: Status['state']): 'input' | 'auth' | undefined {
  if (state === 'TASK_STATE_INPUT_REQUIRED') return 'input';
  return state === 'TASK_STATE_AUTH_REQUIRED' ? 'auth' : undefined;
}

function isEnd(state: Status['state']): boolean {
  return /_(COMPLETED|FAILED|CANCELED|REJECTED)$/.test(state);
}

/** Null if the message has no text. */
function textOf(message: Message | undefined): string | null {
  if (message === undefined) return null;
  const text = message.parts
    .map((part) => part.text ?? '')
    .join('\n')
    .trim();
  if (text === '') return null;
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1)}…`;
}

function sizeOf({ parts }: Artifact): number {
  return parts.reduce((sum, { text, raw, url, data }) => {
    const content = text ?? raw ?? url;
    return sum + (content === undefined ? (JSON.stringify(data) ?? '').length : content.length);
  }, 0);
}
