import type { Part } from '@holdword/protocol';
import type { Sink, Turn } from '../executor.ts';
import type { CliOutput, DefiniteOutcome } from './profile.ts';

const ARTIFACT_NAME = 'response';

/**
 * Writes the output of a program as events of its task.
 *
 * Responsible for the answer being complete both in the artifact `response` and in the message of the final status, because
 * clients read either. A question is not an answer and has no artifact. An artifact that was started is always closed.
 */
export class ResponseWriter {
  readonly #sink: Sink;
  readonly #artifactId: string;
  /** A message that is the whole answer has the files themselves. */
  readonly #namesFiles: boolean;
  #streams = false;

  constructor(turn: Turn, sink: Sink) {
    this.#sink = sink;
    this.#artifactId = artifactIdOf(turn);
    this.#namesFiles = !turn.mayAnswerDirectly;
  }

  async write(outputs: readonly CliOutput[]): Promise<void> {
    for (const output of joinTexts(outputs)) await this.#writeOne(output);
  }

  async end(outcome: DefiniteOutcome): Promise<void> {
    const { metadata } = outcome;
    const message = finalMessage(outcome, this.#namesFiles);
    if (outcome.state === 'input-required' || outcome.state === 'auth-required') {
      await this.close();
      const question = message.length > 0 ? message : 'The agent needs an answer from you to continue.';
      const ask = outcome.state === 'input-required' ? 'askInput' : 'askAuth';
      await this.#sink[ask](question, metadata && { metadata });
      return;
    }
    await this.#writeAnswer(outcome);
    const content = message.length > 0 ? message : undefined;
    const details = metadata && (content ? { message: { metadata } } : { metadata });
    await this.#sink.status(content, { state: STATES[outcome.state], ...details });
  }

  /** Closes the streamed artifact as it is. */
  async close(): Promise<void> {
    if (!this.#streams) return;
    this.#streams = false;
    await this.#sink.artifact({ ...this.#artifact([{ text: '' }]), append: true, lastChunk: true });
  }

  async #writeAnswer(outcome: DefiniteOutcome): Promise<void> {
    const { parts = [], metadata } = outcome;
    const replaces = outcome.state !== 'failed' && outcome.replaces === true;
    if (this.#streams && !replaces) await this.close();
    else if (parts.length > 0) {
      await this.#sink.artifact({ ...this.#artifact(parts), lastChunk: true, ...(metadata && { metadata }) });
    }
  }

  async #writeOne(output: CliOutput): Promise<void> {
    switch (output.kind) {
      case 'text':
        if (output.text === '') return;
        await this.#sink.artifact({ ...this.#artifact([{ text: output.text }]), append: this.#streams });
        this.#streams = true;
        return;
      case 'status':
        await this.#sink.status(output.text, output.metadata && { metadata: output.metadata });
        return;
      case 'artifact':
        await this.#sink.artifact(output.artifact);
        return;
      case 'session':
        // Not part of the task.
        return;
    }
  }

  #artifact(parts: readonly Part[]): { artifactId: string; name: string; parts: readonly Part[] } {
    return { artifactId: this.#artifactId, name: ARTIFACT_NAME, parts };
  }
}

const STATES = {
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
} as const;

/** Each turn of a task has its own answer. */
function artifactIdOf({ task }: Turn): string {
  const turns = task.history?.filter(({ role }) => role === 'ROLE_USER').length ?? 1;
  return turns <= 1 ? ARTIFACT_NAME : `${ARTIFACT_NAME}-${turns}`;
}

/** Joins texts that arrived together into one event. */
function joinTexts(outputs: readonly CliOutput[]): CliOutput[] {
  const joined: CliOutput[] = [];
  for (const output of outputs) {
    const last = joined.at(-1);
    if (output.kind === 'text' && last?.kind === 'text') {
      joined[joined.length - 1] = { kind: 'text', text: last.text + output.text };
    } else joined.push(output);
  }
  return joined;
}

/**
 * Files are only in the artifact: repeating their bytes in the message would double the size of the task. An answer of
 * nothing but files is named instead, because clients read the message.
 */
function finalMessage(outcome: DefiniteOutcome, namesFiles: boolean): Part[] {
  if (outcome.state === 'failed') return [{ text: outcome.text }];
  const { parts = [], note } = outcome;
  if (parts.length === 0) return note === undefined ? [] : [{ text: note }];
  const message = parts.filter((part) => part.raw === undefined);
  return message.length > 0 || !namesFiles ? message : [{ text: filesAs(parts) }];
}

function filesAs(files: readonly Part[]): string {
  const names = files.map(({ filename, mediaType }) => filename ?? mediaType ?? 'without a name');
  return `The answer is ${files.length === 1 ? 'the file' : 'the files'} ${names.join(', ')}.`;
}
