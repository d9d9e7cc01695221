import type { Part } from '@holdword/protocol';
import type { Sink, Turn } from '@holdword/runtime';
import type { HostEvent, ReplyEvent, ToolEvent } from '../host/host-turn.ts';
import { AssistantOutput } from './assistant-output.ts';
import { mediaParts } from './media-parts.ts';
import { OutputIds } from './output-ids.ts';

export interface TurnWriterOptions {
  /** Where files lie that may be sent; undefined when files are not passed on. */
  readonly fileFolders: readonly string[] | undefined;
}

/** The host tells everything so far each time; a journal must not grow with its square. */
const LONGEST_OUTPUT = 2_000;
const NO_REPLY = 'The agent finished without a reply.';
const FILES_ALONE =
  'The agent answered with files alone, and this account does not pass files on. Its operator can switch on features.files.';
const NO_REASON = 'The agent failed and gave no reason. The operator of this gateway finds it in the log.';
const FAILED_AFTERWARDS =
  'The agent failed after it had answered, and gave no reason. The operator of this gateway finds it in the log.';
const INTERRUPTED =
  'Interrupted: the gateway ended the run before the agent had finished. Send the message again.';
const INTERRUPTED_WITH_TOOLS =
  'Interrupted: the gateway ended the run before the agent had finished, and what its tools had done by then is unknown. ' +
  'Look at the artifacts, then send the message again.';

/**
 * Writes what happens in a turn of the host as the events of its A2A turn.
 *
 * Responsible for the promotion: as long as a turn consists of one assistant message, nothing is written, and it may end as
 * a plain message. The first thing that a plain message cannot say (a tool, a second message, a failure) makes it a task,
 * and from then on everything is shown as it comes. The end of the turn is the end of the host's dispatch, since no reply
 * says of itself that it is the last; only a task that is one text, written and said after the run has completed, ends with
 * that reply, because the host tidies up for a while and its caller need not wait for that. What comes after it is a new
 * output, which the sink keeps as late (J6). Leaves the order of events to the host and what is durable to the sink.
 */
export class TurnWriter {
  readonly #options: TurnWriterOptions;
  readonly #ids: OutputIds;
  readonly #outputs: AssistantOutput[] = [];
  readonly #errors: string[] = [];
  #sink: Sink;
  #isTask: boolean;
  #messageBegins = true;
  #outcome: 'completed' | 'failed' | undefined;
  #hasAnswered = false;
  #hasUnsentFiles = false;
  #hasUsedTools = false;
  #hasEnded = false;

  /** Counts its outputs on from those of `earlier`, where another run of the host was shown in the same turn. */
  constructor(turn: Turn, sink: Sink, options: TurnWriterOptions, earlier?: TurnWriter) {
    this.#options = options;
    this.#ids = earlier === undefined ? new OutputIds(turn) : earlier.#ids;
    this.#sink = sink;
    this.#isTask = !turn.mayAnswerDirectly;
  }

  /**
   * The host has told neither how the run ended nor a last answer: it gave the run up. Some runs of the host, such as those
   * of other programs, tell no outcome; they end with an answer.
   */
  get isCutOff(): boolean {
    return !this.#hasEnded && this.#outcome === undefined && !this.#hasAnswered;
  }

  /** The task has its end, and the rest is late. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The host has said what went wrong. */
  get hasErrors(): boolean {
    return this.#errors.length > 0;
  }

  /** The host goes on in a further turn of the task. */
  continueIn(sink: Sink): void {
    this.#sink = sink;
    this.#isTask = true;
  }

  async write(event: HostEvent): Promise<void> {
    switch (event.kind) {
      case 'assistant-message-started':
        this.#messageBegins = true;
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
        // The first says nothing to a caller; whether a question ends the turn is not for the writer to say.
        return;
    }
  }

  /** Everything so far is shown, for the turn pauses here. */
  async pause(): Promise<void> {
    await this.#becomeTask();
  }

  /** The host's dispatch has ended. */
  async end(): Promise<void> {
    if (!this.#hasEnded) return this.#writeEnd();
    // Whatever came after the end.
    await this.#closeAll();
  }

  /** The host gave the run up, which is never an answer. */
  async interrupt(): Promise<void> {
    this.#hasEnded = true;
    await this.#becomeTask();
    await this.#closeAll();
    const reason = this.#hasUsedTools ? INTERRUPTED_WITH_TOOLS : INTERRUPTED;
    await this.#sink.status([...this.#errors, reason].join('\n\n'), {
      state: 'TASK_STATE_FAILED',
      metadata: { reason: 'interrupted' },
    });
  }

  /** Shows the rest of a run whose turn goes on with another one, and leaves the end to that. */
  async handOver(): Promise<void> {
    await this.#becomeTask();
    await this.#closeAll();
    const said = this.#errors.join('\n\n') || (this.#outcome === 'failed' ? NO_REASON : '');
    if (said !== '') {
      await this.#sink.artifact({ ...this.#ids.next('assistant-output'), parts: said, lastChunk: true });
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
      await this.#becomeTask();
      await this.#closeAll();
      return this.#sink.fail(this.#errors.join('\n\n') || NO_REASON);
    }
    const [only] = visible;
    if (!this.#isTask && visible.length === 1 && only !== undefined && this.#errors.length === 0) {
      return this.#sink.message(only.parts);
    }
    await this.#becomeTask();
    await this.#closeAll();
    await this.#sink.complete(this.#answer(visible));
  }

  async #writeText(text: string): Promise<void> {
    // Told once more, after it was said: that is nothing new.
    if (this.#hasEnded && this.#outputs.some((output) => output.isClosed && output.wrote(text))) return;
    (await this.#currentOutput()).setText(text);
    await this.#show();
  }

  async #writeTool({ name, callId, phase, status, output }: ToolEvent): Promise<void> {
    this.#hasUsedTools = true;
    await this.#becomeTask();
    const shown = output?.slice(-LONGEST_OUTPUT);
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
      await this.#show();
      if (reply === 'final' && this.#isAllSaidBy(text)) await this.#writeEnd();
    }
  }

  #isAllSaidBy(text: string | undefined): boolean {
    const [only, ...others] = this.#outputs;
    return (
      this.#isTask &&
      this.#outcome === 'completed' &&
      !this.#hasEnded &&
      !this.#hasUsedTools &&
      !this.#hasUnsentFiles &&
      this.#errors.length === 0 &&
      others.length === 0 &&
      only?.isSaidBy(text) === true
    );
  }

  async #writeToolResult(parts: readonly Part[]): Promise<void> {
    this.#hasUsedTools = true;
    if (parts.length === 0) return;
    await this.#becomeTask();
    await this.#sink.artifact({ ...this.#ids.next('tool-result'), parts, lastChunk: true });
  }

  /** Where a reply belongs: to the message it repeats, else to the one that is being written. */
  async #outputOf(
    reply: 'block' | 'final',
    text: string | undefined,
    hasFiles: boolean,
  ): Promise<AssistantOutput> {
    const source = this.#outputs.findLast(
      (output) => output.wrote(text) && !output.isReplied && !(output.isClosed && hasFiles),
    );
    if (source !== undefined) return source;
    // An answer that follows another answer is a message of its own.
    if (reply === 'final' && this.#outputs.at(-1)?.isReplied === true) this.#messageBegins = true;
    return this.#currentOutput();
  }

  /** The message that is being written. A second one needs a task. */
  async #currentOutput(): Promise<AssistantOutput> {
    const last = this.#outputs.at(-1);
    const isNew = last === undefined || last.isClosed || (this.#messageBegins && last.isVisible);
    this.#messageBegins = false;
    if (!isNew) return last;
    if (last !== undefined) await this.#becomeTask();
    if (this.#isTask) await this.#closeAll();
    const output = new AssistantOutput();
    this.#outputs.push(output);
    return output;
  }

  async #becomeTask(): Promise<void> {
    this.#isTask = true;
    await this.#show();
  }

  async #show(): Promise<void> {
    if (!this.#isTask) return;
    for (const output of this.#outputs) await output.write(this.#sink, this.#ids);
  }

  async #closeAll(): Promise<void> {
    for (const output of this.#outputs) await output.close(this.#sink, this.#ids);
  }

  /** What the caller was told, in its words; files are in the artifacts alone. */
  #answer(visible: readonly AssistantOutput[]): string {
    const replied = visible.filter((output) => output.isReplied);
    const said = replied.length > 0 ? replied : visible.slice(-1);
    const texts = [...said.map((output) => output.text), ...this.#errors].filter(
      (text) => text.trim() !== '',
    );
    if (texts.length > 0) return texts.join('\n\n');
    return this.#hasUnsentFiles ? FILES_ALONE : NO_REPLY;
  }
}
