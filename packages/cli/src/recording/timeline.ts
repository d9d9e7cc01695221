import type { Message, Part } from '@holdword/protocol';
import { asObject, shorten } from '@holdword/protocol/internal';
import { renderBytes } from '../command-line/render-table.ts';
import type { RecordedEvent } from './recording-format.ts';
import { stateIn } from './task-events.ts';

/** One row of the story of a task. */
export interface TimelineRow {
  /** The first and the last event that it is about. */
  readonly from: number;
  readonly to: number;
  readonly time?: string | undefined;
  /** `state`, `tool`, `progress`, `message`, `question` or `artifact`. */
  readonly kind: string;
  readonly text: string;
}

const MOST_TEXT = 400;

/** The story of a task. The chunks of an artifact in a row are one row. */
export async function timelineOf(events: AsyncIterable<RecordedEvent>): Promise<TimelineRow[]> {
  const rows: TimelineRow[] = [];
  let artifact: GrowingArtifact | undefined;
  const finish = (): void => {
    if (artifact !== undefined) rows.push(artifact.row);
    artifact = undefined;
  };
  let state: string | undefined;
  let sequence = 0;
  for await (const recorded of events) {
    sequence = recorded.sequence ?? sequence + 1;
    const { event } = recorded;
    if ('artifactUpdate' in event) {
      const { artifactId, name, parts } = event.artifactUpdate.artifact;
      if (artifact?.artifactId !== artifactId || event.artifactUpdate.append !== true) {
        finish();
        artifact = new GrowingArtifact(artifactId, name ?? artifactId, sequence, recorded.time);
      }
      artifact.add(parts, sequence);
      continue;
    }
    finish();
    rows.push(...rowsOf(recorded, sequence, state));
    state = stateIn(event) ?? state;
  }
  finish();
  return rows;
}

class GrowingArtifact {
  readonly artifactId: string;
  readonly #title: string;
  readonly #from: number;
  readonly #time: string | undefined;
  #to: number;
  #bytes = 0;

  constructor(artifactId: string, title: string, sequence: number, time: string | undefined) {
    this.artifactId = artifactId;
    this.#title = title;
    this.#from = sequence;
    this.#to = sequence;
    this.#time = time;
  }

  add(parts: readonly Part[], sequence: number): void {
    this.#to = sequence;
    for (const part of parts) this.#bytes += bytesOf(part);
  }

  get row(): TimelineRow {
    const chunks = this.#to - this.#from + 1;
    const size = `${renderBytes(this.#bytes)}${chunks > 1 ? ` in ${chunks} parts` : ''}`;
    return {
      from: this.#from,
      to: this.#to,
      time: this.#time,
      kind: 'artifact',
      text: `${this.#title} (${size})`,
    };
  }
}

function bytesOf({ text, raw, url, data }: Part): number {
  if (raw !== undefined) return Buffer.byteLength(raw, 'base64');
  return Buffer.byteLength(text ?? url ?? (data === undefined ? '' : JSON.stringify(data)));
}

function rowsOf(
  { event, input, time }: RecordedEvent,
  sequence: number,
  before: string | undefined,
): TimelineRow[] {
  const row = (kind: string, text: string): TimelineRow => ({
    from: sequence,
    to: sequence,
    time,
    kind,
    text,
  });
  const rows: TimelineRow[] = input === undefined ? [] : [row('message', messageText(input))];
  if ('message' in event) return [...rows, row('message', messageText(event.message))];
  const update = 'task' in event ? event.task : 'statusUpdate' in event ? event.statusUpdate : undefined;
  const state = stateIn(event) ?? '';
  if (update === undefined) return rows;
  if (state !== before) rows.push(row('state', wordOf(state)));
  if ('task' in event) {
    for (const { artifactId, name, parts } of event.task.artifacts ?? []) {
      const bytes = parts.reduce((sum, part) => sum + bytesOf(part), 0);
      rows.push(row('artifact', `${name ?? artifactId} (${renderBytes(bytes)})`));
    }
  }
  const { message } = update.status;
  if (message !== undefined) rows.push(row(kindOf(state, update.metadata), messageText(message)));
  return rows;
}

function kindOf(state: string, metadata: unknown): string {
  if (asObject(metadata)['tool'] !== undefined) return 'tool';
  if (state === 'TASK_STATE_WORKING' || state === 'TASK_STATE_SUBMITTED') return 'progress';
  return state === 'TASK_STATE_INPUT_REQUIRED' || state === 'TASK_STATE_AUTH_REQUIRED'
    ? 'question'
    : 'answer';
}

/** A state as people write it. */
export function wordOf(state: string): string {
  return state
    .replace(/^TASK_STATE_/, '')
    .toLowerCase()
    .replaceAll('_', '-');
}

/** What a message says, on one line. */
export function messageText({ parts, role }: Message): string {
  const said = parts.map(partWord).join(' ').replaceAll(/\s+/g, ' ').trim();
  return `${role === 'ROLE_USER' ? 'user: ' : ''}${shorten(said, MOST_TEXT)}`;
}

function partWord(part: Part): string {
  if (part.text !== undefined) return part.text;
  return `[${part.filename ?? part.mediaType ?? (part.data === undefined ? 'file' : 'data')}, ${renderBytes(bytesOf(part))}]`;
}
