import type { JsonObject, Part, Task } from '@holdword/protocol';
import type { Sink, Turn } from '@holdword/runtime';

/**
 * One assistant message while it is being written. It is buffered until there is a task; from then on it is an artifact to
 * which only new text is appended.
 */
export class AssistantOutput {
  #text = '';
  #parts: Part[] = [];
  #written: { artifactId: string; text: string } | undefined;
  #replied = false;
  #closed = false;

  /** Whether there is text or a file for the caller to see. */
  get isVisible(): boolean {
    return this.#text.trim() !== '' || this.#parts.length > 0;
  }

  get text(): string {
    return this.#text;
  }

  /** The whole message. */
  get parts(): Part[] {
    return [...(this.#text.trim() === '' ? [] : [{ text: this.#text }]), ...this.#parts];
  }

  /** Whether the host has delivered it as a reply, not only streamed it. */
  get isReplied(): boolean {
    return this.#replied;
  }

  /** Whether the artifact is complete. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** Sets the whole text so far. */
  setText(text: string): void {
    if (!this.#replied || includesText(text, this.#text)) this.#text = text;
  }

  /** Adds a delivered reply: the whole message or one of its blocks. */
  addReply(text: string | undefined, parts: readonly Part[]): void {
    if (text !== undefined && !includesText(this.#text, text)) {
      this.#text = this.#replied && this.#text !== '' ? `${this.#text}\n\n${text}` : text;
    }
    this.#parts.push(...parts);
    this.#replied = true;
  }

  /** Whether the text is part of this message. */
  contains(text: string | undefined): boolean {
    return text !== undefined && text.trim() !== '' && includesText(this.#text, text);
  }

  /** Whether the text is the whole message. */
  equals(text: string | undefined): boolean {
    return (
      this.#parts.length === 0 &&
      text !== undefined &&
      withoutWhitespace(text) === withoutWhitespace(this.#text)
    );
  }

  /** Writes new text. */
  async write(sink: Sink, ids: OutputIds): Promise<void> {
    if (this.#closed || this.#text === '' || this.#text === this.#written?.text) return;
    await this.#writeText(sink, ids, {});
  }

  /** Writes the rest and completes the artifact. */
  async close(sink: Sink, ids: OutputIds): Promise<void> {
    if (this.#closed || !this.isVisible) return;
    const hasFiles = this.#parts.length > 0;
    if (this.#text !== '' || !hasFiles) await this.#writeText(sink, ids, { lastChunk: !hasFiles });
    if (hasFiles) await this.#writeFiles(sink, ids);
    this.#closed = true;
  }

  async #writeText(sink: Sink, ids: OutputIds, chunk: { lastChunk?: boolean }): Promise<void> {
    const { artifactId, text: shown } = this.#written ?? {};
    const isMore = shown !== undefined && this.#text.startsWith(shown);
    const artifact = artifactId === undefined ? ids.next('assistant-output') : { artifactId };
    await sink.artifact({
      ...artifact,
      parts: isMore ? this.#text.slice(shown.length) : this.#text,
      ...(isMore && { append: true }),
      ...chunk,
    });
    this.#written = { artifactId: artifact.artifactId, text: this.#text };
  }

  async #writeFiles(sink: Sink, ids: OutputIds): Promise<void> {
    const begun = this.#written;
    const artifact = begun === undefined ? ids.next('assistant-output') : { artifactId: begun.artifactId };
    await sink.artifact({
      ...artifact,
      parts: this.#parts,
      ...(begun !== undefined && { append: true }),
      lastChunk: true,
    });
  }
}

/** Ignores whitespace, because the host trims and joins text. */
function includesText(whole: string, part: string): boolean {
  return withoutWhitespace(whole).includes(withoutWhitespace(part));
}

function withoutWhitespace(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

/** The source of an artifact's content. */
type OutputSource = CountedSource | 'tool-progress';
type CountedSource = 'assistant-output' | 'tool-result';

/** The identity of an artifact within its task. */
interface OutputId {
  readonly artifactId: string;
  readonly name: OutputSource;
  readonly metadata: JsonObject;
}

const DIGITS = 4;

/**
 * Names the outputs of a turn: `assistant-output-0001`, `tool-result-0001`, `tool-progress-<call>`. A further turn continues
 * the numbering; a turn that runs again after a crash restarts it and thus replaces its earlier outputs.
 */
export class OutputIds {
  readonly #turn: number;
  readonly #counts: Record<CountedSource, number>;
  #sequence = 0;

  constructor({ task }: Pick<Turn, 'task'>) {
    this.#turn = turnNumber(task);
    const shown = (source: CountedSource): number =>
      task.artifacts?.filter(
        ({ artifactId, metadata }) =>
          artifactId.startsWith(`${source}-`) && metadata?.['turn'] !== this.#turn,
      ).length ?? 0;
    this.#counts = { 'assistant-output': shown('assistant-output'), 'tool-result': shown('tool-result') };
  }

  next(source: CountedSource): OutputId {
    this.#counts[source] += 1;
    return this.#idOf(source, String(this.#counts[source]).padStart(DIGITS, '0'));
  }

  ofCall(callId: string): OutputId {
    return this.#idOf('tool-progress', callId.replaceAll(/[^\w.-]+/g, '_'));
  }

  #idOf(source: OutputSource, last: string): OutputId {
    this.#sequence += 1;
    return {
      artifactId: `${source}-${last}`,
      name: source,
      metadata: { source, sequence: this.#sequence, turn: this.#turn },
    };
  }
}

/** The first message of a task starts its first turn. */
export function turnNumber({ history = [] }: Task): number {
  return Math.max(1, history.filter(({ role }) => role === 'ROLE_USER').length);
}
