import { isInterrupted, isTerminal, type JsonObject, type Part, type TaskState } from '@parley/protocol';
import type { ArtifactInput, AskOptions, Content, Sink, StatusOptions } from '../executors/executor.ts';
import { TerminalError } from '../executors/executor-errors.ts';
import { partsOf } from './content.ts';
import type { DirectAnswer } from './direct-answer.ts';
import type { LiveTask } from './live-task.ts';
import { newId } from './new-id.ts';

const LATE_ARTIFACT_NAME = 'late-answer';

/**
 * What one turn writes, as events of its task.
 *
 * Responsible for ending the turn once: after a final state or a question nothing changes the state. What an agent says
 * after that becomes an artifact marked as late (J6); progress notes are dropped then.
 */
export class TurnSink implements Sink {
  readonly #live: LiveTask;
  readonly #direct: DirectAnswer | undefined;
  #ended = false;

  constructor(live: LiveTask, direct?: DirectAnswer) {
    this.#live = live;
    this.#direct = direct;
  }

  /** The turn has its outcome: a final state, a question or a direct message. */
  get ended(): boolean {
    return this.#ended || this.#taskEnded();
  }

  async status(content?: Content, options: StatusOptions = {}): Promise<void> {
    const state = options.state ?? 'TASK_STATE_WORKING';
    if (isTerminal(state)) return this.#end(state, content, options.metadata);
    if (this.ended) return;
    this.#direct?.becomeTask();
    const parts = content === undefined ? undefined : partsOf(content);
    this.#live.writeStatus(state, parts && { parts }, { metadata: options.metadata });
    await this.#live.room();
  }

  async artifact(input: ArtifactInput): Promise<string> {
    const { artifactId = newId(), parts: content, append, lastChunk, ...rest } = input;
    const parts = partsOf(content);
    this.#direct?.becomeTask();
    if (this.ended) this.#writeLate(parts, { ...rest, artifactId });
    else this.#live.writeArtifact({ artifact: { ...rest, artifactId, parts }, append, lastChunk });
    await this.#live.room();
    return artifactId;
  }

  async message(content: Content): Promise<void> {
    const parts = partsOf(content);
    if (this.#direct?.open === true) {
      this.#ended = true;
      const { taskId: _, ...message } = this.#live.agentMessage(parts);
      this.#direct.answer(message);
      return;
    }
    throw new TerminalError(
      this.#direct === undefined
        ? 'The agent answered with a plain message in a turn that already has a task; it should complete the task.'
        : 'The agent answered with a plain message after other output; it should complete the task.',
    );
  }

  askInput(content: Content, options: AskOptions = {}): Promise<void> {
    return this.#end('TASK_STATE_INPUT_REQUIRED', content, options.metadata);
  }

  askAuth(content: Content, options: AskOptions = {}): Promise<void> {
    return this.#end('TASK_STATE_AUTH_REQUIRED', content, options.metadata);
  }

  complete(content?: Content): Promise<void> {
    return this.#end('TASK_STATE_COMPLETED', content);
  }

  fail(content: Content): Promise<void> {
    return this.#end('TASK_STATE_FAILED', content);
  }

  reject(content: Content): Promise<void> {
    return this.#end('TASK_STATE_REJECTED', content);
  }

  async flush(): Promise<void> {
    if (this.#direct?.open !== true) await this.#live.flushed();
  }

  async #end(state: TaskState, content: Content | undefined, metadata?: JsonObject): Promise<void> {
    const parts = content === undefined ? undefined : partsOf(content);
    this.#direct?.becomeTask();
    if (!this.ended) {
      this.#ended = true;
      this.#live.writeStatus(state, parts && { parts, metadata }, { releaseLease: true });
    } else if (parts !== undefined) {
      this.#writeLate(parts, { artifactId: newId() });
    }
    await this.#live.room();
  }

  #taskEnded(): boolean {
    const state = this.#live.writtenState;
    return state !== undefined && isTerminal(state);
  }

  #writeLate(
    parts: Part[],
    artifact: { artifactId: string; name?: string | undefined; metadata?: JsonObject | undefined },
  ): void {
    const state = this.#live.writtenState as TaskState;
    const reason = isInterrupted(state) ? 'the turn had asked its user' : 'the task had ended';
    this.#live.writeArtifact({
      artifact: {
        ...artifact,
        name: artifact.name ?? LATE_ARTIFACT_NAME,
        parts,
        metadata: { ...artifact.metadata, late: { state, reason } },
      },
      lastChunk: true,
    });
  }
}
