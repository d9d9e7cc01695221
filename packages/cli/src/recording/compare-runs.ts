import { createHash, type Hash } from 'node:crypto';
import type { Artifact, Part } from '@holdword/protocol';
import type { RecordedEvent } from './recording-format.ts';
import { addParts } from './task-trace.ts';
import { statusOf } from './task-events.ts';
import { messageText, wordOf } from './timeline.ts';

/*
 * Compares two runs by what a user could see: states, texts and artifacts, in order. Ids, times and how an artifact was cut into
 * chunks are no differences. Contents are compared by digest, so that large ones need not be in memory.
 */

/** What a run looked like, one line per thing. */
export interface RunOutline {
  readonly states: readonly string[];
  readonly texts: readonly string[];
  readonly artifacts: readonly string[];
}

export interface RunDifference {
  readonly what: keyof RunOutline;
  /** Only in the first run, or only in the second. */
  readonly only: 'a' | 'b';
  readonly line: string;
}

const SHOWN_TEXT = 200;

/** Artifacts of a run by their position: their ids may be different each time. */
export async function outlineOf(events: AsyncIterable<RecordedEvent>): Promise<RunOutline> {
  const states: string[] = [];
  const texts: string[] = [];
  const artifacts = new Map<string, SeenArtifact>();
  for await (const { event, input } of events) {
    if (input !== undefined) texts.push(messageText(input));
    if ('message' in event) texts.push(messageText(event.message));
    if ('artifactUpdate' in event) {
      const { taskId, artifact, append } = event.artifactUpdate;
      see(artifacts, taskId, artifact, append === true);
    }
    if ('task' in event) {
      for (const artifact of event.task.artifacts ?? []) see(artifacts, event.task.id, artifact, false);
    }
    const status = statusOf(event);
    if (status === undefined) continue;
    const { state, message } = status;
    if (wordOf(state) !== states.at(-1)) states.push(wordOf(state));
    if (message !== undefined) texts.push(messageText(message));
  }
  return { states, texts, artifacts: [...artifacts.values()].map((artifact) => artifact.line) };
}

function see(
  artifacts: Map<string, SeenArtifact>,
  taskId: string,
  artifact: Artifact,
  append: boolean,
): void {
  const key = `${taskId} ${artifact.artifactId}`;
  const known = artifacts.get(key);
  if (known === undefined) artifacts.set(key, new SeenArtifact(artifact));
  else known.add(artifact, append);
}

class SeenArtifact {
  readonly #name: string;
  #hash: Hash = createHash('sha256');
  #start = '';
  #characters = 0;

  constructor(artifact: Artifact) {
    this.#name = artifact.name ?? '';
    this.add(artifact, false);
  }

  add({ parts }: Artifact, append: boolean): void {
    if (!append) {
      this.#hash = createHash('sha256');
      this.#start = '';
      this.#characters = 0;
    }
    addParts(this.#hash, parts);
    for (const part of parts) {
      const text = contentOf(part);
      this.#characters += text.length;
      if (this.#start.length < SHOWN_TEXT) this.#start += text.slice(0, SHOWN_TEXT - this.#start.length);
    }
  }

  get line(): string {
    const digest = this.#hash.copy().digest('hex').slice(0, 12);
    const start = this.#start.replaceAll(/\s+/g, ' ');
    const rest = this.#characters > SHOWN_TEXT ? '…' : '';
    const name = this.#name === '' ? '' : `${this.#name}: `;
    return `${name}${start}${rest} (${this.#characters} characters, ${digest})`;
  }
}

function contentOf({ text, raw, url, data }: Part): string {
  return text ?? raw ?? url ?? JSON.stringify(data ?? null);
}

/** What is different, in the order of the runs. Empty if nothing is. */
export function compareRuns(a: RunOutline, b: RunOutline): RunDifference[] {
  return (['states', 'texts', 'artifacts'] as const).flatMap((what) =>
    differences(a[what], b[what]).map((difference) => ({ what, ...difference })),
  );
}

/** Longer lists are compared line by line. */
const MOST_LINES = 1_000;

/** What has to be removed from one list and added to make the other. */
function differences(a: readonly string[], b: readonly string[]): Pick<RunDifference, 'only' | 'line'>[] {
  if (a.length > MOST_LINES || b.length > MOST_LINES) return byPosition(a, b);
  const common = commonLengths(a, b);
  const found: Pick<RunDifference, 'only' | 'line'>[] = [];
  let [left, right] = [0, 0];
  while (left < a.length || right < b.length) {
    if (left < a.length && right < b.length && a[left] === b[right]) {
      left += 1;
      right += 1;
    } else if (
      right >= b.length ||
      (left < a.length && at(common, left + 1, right) >= at(common, left, right + 1))
    ) {
      found.push({ only: 'a', line: a[left] ?? '' });
      left += 1;
    } else {
      found.push({ only: 'b', line: b[right] ?? '' });
      right += 1;
    }
  }
  return found;
}

function byPosition(a: readonly string[], b: readonly string[]): Pick<RunDifference, 'only' | 'line'>[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, index) => index).flatMap((index) => {
    const [one, other] = [a[index], b[index]];
    if (one === other) return [];
    return [
      ...(one === undefined ? [] : [{ only: 'a' as const, line: one }]),
      ...(other === undefined ? [] : [{ only: 'b' as const, line: other }]),
    ];
  });
}

/** How long the longest common list is from two positions on. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let left = a.length - 1; left >= 0; left -= 1) {
    const [row, below] = [rows[left] as Uint16Array, rows[left + 1] as Uint16Array];
    for (let right = b.length - 1; right >= 0; right -= 1) {
      row[right] =
        a[left] === b[right] ? (below[right + 1] ?? 0) + 1 : Math.max(below[right] ?? 0, row[right + 1] ?? 0);
    }
  }
  return rows;
}

function at(rows: readonly Uint16Array[], left: number, right: number): number {
  return rows[left]?.[right] ?? 0;
}
