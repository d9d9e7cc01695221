import type { Part } from '@holdword/protocol';
import type { Sink } from '@holdword/runtime';
import type { OutputIds } from './output-ids.ts';

/**
 * One message of the assistant, as it grows. Kept here until there is a task to show it in; from then on an artifact, of
 * which only what is new is written.
 */
export class AssistantOutput {
  #text = '';
  #parts: Part[] = [];
  #written: { artifactId: string; text: string } | undefined;
  #replied = false;
  #closed = false;

  /** Text or files: something that a caller would see. */
  get isVisible(): boolean {
    return this.#text.trim() !== '' || this.#parts.length > 0;
  }

  get text(): string {
    return this.#text;
  }

  /** All of it, as a message. */
  get parts(): Part[] {
    return [...(this.#text.trim() === '' ? [] : [{ text: this.#text }]), ...this.#parts];
  }

  /** The host has said it to the caller, and not merely written it so far. */
  get isReplied(): boolean {
    return this.#replied;
  }

  /** Nothing can be added to what was shown. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** The whole text as of now. */
  setText(text: string): void {
    if (!this.#replied || includesText(text, this.#text)) this.#text = text;
  }

  /** Something of it was said to the caller: all of it, or one of its blocks. */
  addReply(text: string | undefined, parts: readonly Part[]): void {
    if (text !== undefined && !includesText(this.#text, text)) {
      this.#text = this.#replied && this.#text !== '' ? `${this.#text}\n\n${text}` : text;
    }
    this.#parts.push(...parts);
    this.#replied = true;
  }

  /** Whether this is where the reply comes from: it says what was written here. */
  wrote(text: string | undefined): boolean {
    return text !== undefined && text.trim() !== '' && includesText(this.#text, text);
  }

  /** Whether the text is all that was written here. */
  isSaidBy(text: string | undefined): boolean {
    return this.#parts.length === 0 && text !== undefined && withoutSpace(text) === withoutSpace(this.#text);
  }

  /** Shows what is new. */
  async write(sink: Sink, ids: OutputIds): Promise<void> {
    if (this.#closed || this.#text === '' || this.#text === this.#written?.text) return;
    await this.#writeText(sink, ids, {});
  }

  /** Shows the rest: nothing more comes. */
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

/** The host trims and joins what it says; the words are the same. */
function includesText(whole: string, part: string): boolean {
  return withoutSpace(whole).includes(withoutSpace(part));
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
