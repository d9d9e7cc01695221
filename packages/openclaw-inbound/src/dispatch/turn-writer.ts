import type { Part } from '@holdword/protocol';
import type { Sink, Turn } from '@holdword/runtime';
import { isOmitted, mediaPart } from '@holdword/runtime/internal/openclaw';
import type { HostEvent, HostMedia, ReplyEvent, ToolEvent } from '../host/host.ts';
import { AssistantOutput, OutputIds } from './assistant-output.ts';
import {
  failInterrupted,
  INTERRUPTED_CALL,
  knownCall,
  type KnownCall,
  RESULT_UNKNOWN,
} from './interruption.ts';

export interface TurnWriterOptions {
  /** Folders with files that may be sent; undefined if files are disabled. */
  readonly fileFolders: readonly string[] | undefined;
}

/** The host repeats the whole output each time; without a limit the journal would grow quadratically. */
const MAX_OUTPUT_LENGTH = 2_000;
const NO_REPLY = 'The agent finished without a reply.';
const FILES_ONLY =
  'The agent answered only with files, and files are disabled for this account. Its operator can enable features.files.';
const NO_REASON = 'The agent failed without giving a reason. The gateway log has the details.';
const FAILED_AFTERWARDS =
  'The agent failed after it had answered, without giving a reason. The gateway log has the details.';
const ENDED_EARLY = 'the gateway ended the run before the agent finished';

/**
 * Writes the events of a host turn as events of its A2A turn.
 *
 * Responsible for promotion: as long as a turn consists of one assistant message, nothing is written, and it may end as a plain
 * message. The first thing that a plain message cannot express (a tool, a second message, a failure) promotes it to a task;
 * from then on everything is written as it happens. The turn ends with the host's dispatch, since no reply is marked as the
 * last one. Exception: a task that consists of one text, delivered after the run has completed, ends with that reply, so that
 * the caller does not wait for the host's cleanup. Anything after it is a new output, which the sink records as late (J6).
 * Leaves the order of events to the host and durability to the sink.
 */
export class TurnWriter {
  readonly #options: TurnWriterOptions;
  readonly #ids: OutputIds;
  readonly #outputs: AssistantOutput[] = [];
  readonly #errors: string[] = [];
  readonly #calls = new Map<string, KnownCall>();
  #sink: Sink;
  #isTask: boolean;
  #startsMessage = true;
  #outcome: 'completed' | 'failed' | undefined;
  #hasAnswered = false;
  #hasUnsentFiles = false;
  #hasUsedTools = false;
  #hasEnded = false;

  /** With `earlier`, continues the numbering of another host run in the same turn. */
  constructor(turn: Turn, sink: Sink, options: TurnWriterOptions, earlier?: TurnWriter) {
    this.#options = options;
    this.#ids = earlier === undefined ? new OutputIds(turn) : earlier.#ids;
    this.#sink = sink;
    this.#isTask = !turn.mayAnswerDirectly;
  }

  /**
   * Whether the host reported neither an outcome nor a final answer, that is, it abandoned the run. Some runs, such as those of
   * external programs, report no outcome; they end with an answer.
   */
  get isCutOff(): boolean {
    return !this.#hasEnded && this.#outcome === undefined && !this.#hasAnswered;
  }

  /** Whether the task has ended; further output is late. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Whether the agent has called tools. */
  get hasUsedTools(): boolean {
    return this.#hasUsedTools;
  }

  /** Whether the host reported errors. */
  get hasErrors(): boolean {
    return this.#errors.length > 0;
  }

  /** Continues writing in a further turn of the task. */
  continueIn(sink: Sink): void {
    this.#sink = sink;
    this.#isTask = true;
  }

  async write(event: HostEvent): Promise<void> {
    switch (event.kind) {
      case 'assistant-message-started':
        this.#startsMessage = true;
        return;
      case 'partial-text':
        return this.#writeText(event.text);
      case 'tool':
        return this.#writeTool(event);
      case 'reply':
        return this.#writeReply(event);
      case 'outcome':
        return this.#writeOutcome(event.outcome);
      case 'run-started':
      case 'approval':
      case 'approval-settled':
        // Not for the caller; the executor decides whether an approval ends the turn.
        return;
    }
  }

  /** Writes everything so far, because the turn pauses here. */
  async pause(): Promise<void> {
    await this.#promote();
  }

  /** The host's dispatch has ended. */
  async end(): Promise<void> {
    if (!this.#hasEnded) return this.#writeEnd();
    // Output after the end.
    await this.#closeAll();
  }

  /** The host abandoned the run. */
  async interrupt(): Promise<void> {
    this.#hasEnded = true;
    await this.#promote();
    await this.#closeAll();
    await this.#closeCalls();
    await failInterrupted(this.#sink, {
      cause: ENDED_EARLY,
      errors: this.#errors,
      calls: [...this.#calls.values()],
    });
  }

  /** Writes the rest of a run whose turn continues with another run, without ending the turn. */
  async writeRest(): Promise<void> {
    await this.#promote();
    await this.#closeAll();
    const errorText = this.#errors.join('\n\n') || (this.#outcome === 'failed' ? NO_REASON : '');
    if (errorText !== '') {
      await this.#sink.artifact({ ...this.#ids.next('assistant-output'), parts: errorText, lastChunk: true });
    }
  }

  async #writeOutcome(outcome: 'completed' | 'failed'): Promise<void> {
    this.#outcome = outcome;
    if (outcome === 'failed' && this.#hasEnded) await this.#sink.fail(FAILED_AFTERWARDS);
  }

  async #writeEnd(): Promise<void> {
    this.#hasEnded = true;
    const visible = this.#outputs.filter((output) => output.isVisible);
    if (this.#outcome === 'failed' || (visible.length === 0 && this.#errors.length > 0)) {
      await this.#promote();
      await this.#closeAll();
      return this.#sink.fail(this.#errors.join('\n\n') || NO_REASON);
    }
    const [only] = visible;
    if (!this.#isTask && visible.length === 1 && only !== undefined && this.#errors.length === 0) {
      return this.#sink.message(only.parts);
    }
    await this.#promote();
    await this.#closeAll();
    await this.#sink.complete(this.#answer(visible));
  }

  async #writeText(text: string): Promise<void> {
    // A repetition of text that was already delivered.
    if (this.#hasEnded && this.#outputs.some((output) => output.isClosed && output.contains(text))) return;
    (await this.#currentOutput()).setText(text);
    await this.#flush();
  }

  async #writeTool({ name, callId, phase, status, output }: ToolEvent): Promise<void> {
    this.#hasUsedTools = true;
    this.#calls.set(callId, knownCall({ name, phase, status }));
    await this.#promote();
    const shown = output?.slice(-MAX_OUTPUT_LENGTH);
    const data = { tool: name, callId, phase, ...(status && { status }), ...(shown && { output: shown }) };
    const lastChunk = phase === 'result';
    await this.#sink.artifact({ ...this.#ids.ofCall(callId), parts: { data }, lastChunk });
  }

  async #writeReply({ reply, text, media, isError }: ReplyEvent): Promise<void> {
    const folders = this.#options.fileFolders;
    const files = folders === undefined ? [] : await mediaParts(media, folders);
    if (media.length > files.length) this.#hasUnsentFiles = true;
    if (isError) {
      this.#errors.push(text ?? NO_REASON);
      if (this.#hasEnded) await this.#sink.fail(text ?? FAILED_AFTERWARDS);
    } else if (reply === 'tool') {
      await this.#writeToolResult([...(text?.trim() ? [{ text }] : []), ...files]);
    } else {
      if (reply === 'final') this.#hasAnswered = true;
      const output = await this.#outputOf(reply, text, files.length > 0);
      output.addReply(text, files);
      await this.#flush();
      if (reply === 'final' && this.#isCompleteReply(text)) await this.#writeEnd();
    }
  }

  #isCompleteReply(text: string | undefined): boolean {
    const [only, ...others] = this.#outputs;
    return (
      this.#isTask &&
      this.#outcome === 'completed' &&
      !this.#hasEnded &&
      !this.#hasUsedTools &&
      !this.#hasUnsentFiles &&
      this.#errors.length === 0 &&
      others.length === 0 &&
      only?.equals(text) === true
    );
  }

  async #writeToolResult(parts: readonly Part[]): Promise<void> {
    this.#hasUsedTools = true;
    if (parts.length === 0) return;
    await this.#promote();
    await this.#sink.artifact({ ...this.#ids.next('tool-result'), parts, lastChunk: true });
  }

  /** The message that a reply belongs to: the one it repeats, otherwise the current one. */
  async #outputOf(
    reply: 'block' | 'final',
    text: string | undefined,
    hasFiles: boolean,
  ): Promise<AssistantOutput> {
    const source = this.#outputs.findLast(
      (output) => output.contains(text) && !output.isReplied && !(output.isClosed && hasFiles),
    );
    if (source !== undefined) return source;
    // An answer after another answer is a separate message.
    if (reply === 'final' && this.#outputs.at(-1)?.isReplied === true) this.#startsMessage = true;
    return this.#currentOutput();
  }

  /** The current message. A second message promotes the turn to a task. */
  async #currentOutput(): Promise<AssistantOutput> {
    const last = this.#outputs.at(-1);
    const isNew = last === undefined || last.isClosed || (this.#startsMessage && last.isVisible);
    this.#startsMessage = false;
    if (!isNew) return last;
    if (last !== undefined) await this.#promote();
    if (this.#isTask) await this.#closeAll();
    const output = new AssistantOutput();
    this.#outputs.push(output);
    return output;
  }

  async #promote(): Promise<void> {
    this.#isTask = true;
    await this.#flush();
  }

  async #flush(): Promise<void> {
    if (!this.#isTask) return;
    for (const output of this.#outputs) await output.write(this.#sink, this.#ids);
  }

  async #closeAll(): Promise<void> {
    for (const output of this.#outputs) await output.close(this.#sink, this.#ids);
  }

  /** Closes the calls that have no result. */
  async #closeCalls(): Promise<void> {
    for (const [callId, { name, status }] of this.#calls) {
      if (status !== undefined) continue;
      const data = { tool: name, callId, ...INTERRUPTED_CALL, reason: RESULT_UNKNOWN };
      await this.#sink.artifact({ ...this.#ids.ofCall(callId), parts: { data }, lastChunk: true });
    }
  }

  /** The text of the final status; files are only in the artifacts. */
  #answer(visible: readonly AssistantOutput[]): string {
    const replied = visible.filter((output) => output.isReplied);
    const shown = replied.length > 0 ? replied : visible.slice(-1);
    const texts = [...shown.map((output) => output.text), ...this.#errors].filter(
      (text) => text.trim() !== '',
    );
    if (texts.length > 0) return texts.join('\n\n');
    return this.#hasUnsentFiles ? FILES_ONLY : NO_REPLY;
  }
}

const MAX_FILE_BYTES = 10 * 1024 * 1024;

/**
 * The media of an answer as parts: files from the given folders, and URLs. A file that cannot be sent is replaced by a note
 * without its path.
 */
async function mediaParts(media: readonly HostMedia[], folders: readonly string[]): Promise<Part[]> {
  return Promise.all(
    media.map(async ({ reference, name }) => {
      const part = await mediaPart(reference, { folders, maxBytes: MAX_FILE_BYTES });
      if (isOmitted(part)) return { text: `[File ${name ?? part.name} omitted: ${part.reason}.]` };
      return name === undefined ? part : { ...part, filename: name };
    }),
  );
}
