import { READERS } from '@holdword/client/internal';
import type { Artifact, Part, TaskState } from '@holdword/protocol';
import { asObject, isObject } from '@holdword/protocol/internal';
import { stateOf, withoutControls } from '../calling/task-text.ts';
import { renderBytes } from '../command-line/render-table.ts';
import type { LiveScreen } from './live-screen.ts';
import { alignedTable, MarkdownRenderer, type Format } from './markdown.ts';
import { beginningThatFits, endThatFits } from './text-width.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MILLISECONDS = 100;
const MOST_DATA_LINES = 200;
const MOST_ROWS = 100;

const STATE_FORMATS: { readonly [State in TaskState]?: Format } = {
  TASK_STATE_COMPLETED: 'green',
  TASK_STATE_FAILED: 'red',
  TASK_STATE_REJECTED: 'red',
  TASK_STATE_CANCELED: 'yellow',
  TASK_STATE_INPUT_REQUIRED: 'yellow',
  TASK_STATE_AUTH_REQUIRED: 'yellow',
};

/**
 * Shows a task while it runs: what the agent says and makes, as it comes, and below it the state and the time since it began.
 *
 * Leaves to SeenTask that nothing comes twice. Everything of an agent is cleaned of control characters before it is styled.
 */
export class TaskDisplay implements Disposable {
  readonly #screen: LiveScreen;
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout;
  #frame = 0;
  #state = 'sending';
  #isLost = false;
  /** The artifact whose text is arriving. */
  #open: { readonly id: string; readonly markdown: MarkdownRenderer } | undefined;
  /** What the agent has said, to leave out a last message that only repeats an artifact. */
  #said = '';
  #isPaused = false;

  constructor(screen: LiveScreen) {
    this.#screen = screen;
    this.#timer = setInterval(() => this.#tick(), FRAME_MILLISECONDS);
    this.#timer.unref();
    this.#draw();
  }

  /** Shows the news of a task. */
  event(json: unknown): void {
    const event = READERS.events(json);
    const [content] = Object.values(asObject(json));
    if ('artifactUpdate' in event)
      this.#artifact(event.artifactUpdate.artifact, event.artifactUpdate.append === true);
    else if ('message' in event) this.#say(event.message.parts);
    else if ('statusUpdate' in event)
      this.#status(stateOf(content), event.statusUpdate.status.message?.parts);
    else {
      for (const artifact of event.task.artifacts ?? []) this.#artifact(artifact, false);
      this.#status(stateOf(content), event.task.status.message?.parts);
    }
    this.#draw();
  }

  connection(isLost: boolean): void {
    this.#isLost = isLost;
    this.#draw();
  }

  /** While somebody is asked, nothing moves. */
  pause(): void {
    this.#isPaused = true;
    this.#screen.clear();
  }

  resume(): void {
    this.#isPaused = false;
    this.#draw();
  }

  /** Prints what is left, and how the task stands. */
  end(): void {
    this.#endArtifact();
    this[Symbol.dispose]();
    const { style } = this.#screen;
    const state = style(STATE_FORMATS[this.#state as TaskState] ?? 'dim', this.#stateName());
    this.#screen.print(`${state} ${style('dim', `after ${this.#elapsed()}`)}\n`);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#screen.clear();
  }

  #status(state: string, parts: readonly Part[] | undefined): void {
    this.#state = state;
    if (parts === undefined) return;
    const text = parts.map((part) => part.text ?? '').join('');
    if (text !== '' && this.#said.trimEnd().endsWith(text.trimEnd())) return;
    this.#endArtifact();
    const isAsking = state === 'TASK_STATE_INPUT_REQUIRED' || state === 'TASK_STATE_AUTH_REQUIRED';
    if (isAsking) return;
    if (state === 'TASK_STATE_WORKING' || state === 'TASK_STATE_SUBMITTED') {
      this.#screen.print(`${this.#screen.style('dim', withoutControls(text))}\n`);
    } else this.#say(parts);
  }

  #say(parts: readonly Part[]): void {
    const markdown = this.#markdown();
    for (const part of parts) this.#part(part, markdown);
    this.#screen.print(markdown.end());
  }

  #artifact({ artifactId, name, parts }: Artifact, append: boolean): void {
    if (this.#open?.id !== artifactId || !append) {
      this.#endArtifact();
      this.#open = { id: artifactId, markdown: this.#markdown() };
      const title = beginningThatFits(withoutControls(name ?? artifactId), this.#screen.columns - 2);
      this.#screen.print(`${this.#screen.style('cyan', `▸ ${title}`)}\n`);
    }
    for (const part of parts) this.#part(part, this.#open.markdown);
  }

  #endArtifact(): void {
    if (this.#open === undefined) return;
    const rest = this.#open.markdown.end();
    this.#open = undefined;
    this.#screen.print(rest);
  }

  #part(part: Part, markdown: MarkdownRenderer): void {
    if (part.text !== undefined) {
      const text = withoutControls(part.text);
      this.#said = (this.#said + text).slice(-100_000);
      this.#screen.print(markdown.write(text));
      return;
    }
    this.#screen.print(markdown.end());
    if (part.data !== undefined) this.#screen.print(this.#data(part.data));
    else this.#screen.print(`${this.#fileLine(part)}\n`);
  }

  #fileLine({ filename, mediaType, raw, url }: Part): string {
    const size = raw === undefined ? url : renderBytes(Buffer.byteLength(raw, 'base64'));
    const details = [mediaType, size].filter((each) => each !== undefined && each !== '').join(', ');
    return `${this.#screen.style('bold', withoutControls(filename ?? 'file'))}  ${withoutControls(details)}`;
  }

  /** A list of records is a table; anything else is JSON. */
  #data(data: unknown): string {
    const rows = recordsIn(data);
    if (rows !== undefined) {
      const head = [...new Set(rows.flatMap((row) => Object.keys(row)))];
      const cells = rows.slice(0, MOST_ROWS).map((row) => head.map((name) => cellText(row[name])));
      const more = rows.length > MOST_ROWS ? `… and ${rows.length - MOST_ROWS} more rows\n` : '';
      const { columns, style } = this.#screen;
      return `${alignedTable(head.map(withoutControls), cells, { columns, style })}${more}`;
    }
    const lines = withoutControls(JSON.stringify(data, null, 2)).split('\n');
    const shown = lines.slice(0, MOST_DATA_LINES).map((line) => `  ${line}\n`);
    const more =
      lines.length > MOST_DATA_LINES ? `  … and ${lines.length - MOST_DATA_LINES} more lines\n` : '';
    return shown.join('') + more;
  }

  #markdown(): MarkdownRenderer {
    return new MarkdownRenderer(() => this.#screen.columns, this.#screen.style);
  }

  #tick(): void {
    this.#frame = (this.#frame + 1) % FRAMES.length;
    this.#draw();
  }

  #draw(): void {
    if (this.#isPaused) return;
    const pending = this.#open?.markdown.pending ?? '';
    const { columns, style } = this.#screen;
    const state = this.#isLost ? 'connection lost, trying again' : this.#stateName();
    const status = beginningThatFits(
      `${FRAMES[this.#frame]} ${state} · ${this.#elapsed()} · Ctrl-C`,
      columns - 1,
    );
    this.#screen.show([
      ...(pending === '' ? [] : [endThatFits(pending, columns - 1)]),
      style(this.#isLost ? 'yellow' : 'dim', status),
    ]);
  }

  #stateName(): string {
    const name = this.#state
      .replace(/^TASK_STATE_/, '')
      .replaceAll('_', ' ')
      .toLowerCase();
    return withoutControls(name).slice(0, 40);
  }

  #elapsed(): string {
    const seconds = Math.floor((performance.now() - this.#startedAt) / 1_000);
    return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
  }
}

type Row = Readonly<Record<string, unknown>>;

/** `[{…}, {…}]`, or an object whose only field is such a list. */
function recordsIn(data: unknown): Row[] | undefined {
  const fields = isObject(data) ? Object.values(data) : [];
  const list: unknown = fields.length === 1 ? fields[0] : data;
  if (!Array.isArray(list) || list.length === 0 || !list.every(isObject)) return undefined;
  const rows: Row[] = list;
  const isFlat = rows.every((row) =>
    Object.values(row).every((value) => typeof value !== 'object' || value === null),
  );
  return isFlat ? rows : undefined;
}

function cellText(value: unknown): string {
  return withoutControls(typeof value === 'string' ? value : JSON.stringify(value ?? null)).replaceAll(
    /\s+/g,
    ' ',
  );
}
