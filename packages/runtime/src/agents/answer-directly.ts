import { isDeepStrictEqual } from 'node:util';
import type { Artifact, Part } from '@holdword/protocol';
import { applyArtifactUpdate } from '@holdword/protocol/internal';
import { partsOf } from '../engine/turn-sink.ts';
import type {
  ArtifactInput,
  AskOptions,
  Content,
  Executor,
  Sink,
  StatusOptions,
  Turn,
} from '../executors/executor.ts';

/**
 * Makes an agent answer with a plain message if the client accepts one: output is collected and sent when the turn ends.
 * The client is shown no task unless the turn fails or asks for something. Other turns are not affected.
 */
export function answerDirectly(executor: Executor): Executor {
  return {
    ...(executor.card && { card: executor.card }),
    defaultContextId: executor.defaultContextId,
    answersDirectly: () => true,
    execute: async (turn: Turn, sink: Sink) => {
      if (!turn.mayAnswerDirectly) return executor.execute(turn, sink);
      const collecting = new CollectingSink(sink);
      await executor.execute(turn, collecting);
      await collecting.finish();
    },
    ...(executor.resume && { resume: executor.resume.bind(executor) }),
    ...(executor.close && { close: executor.close.bind(executor) }),
  };
}

/** Collects an answer until it is complete. The output of a turn that does not complete is passed on unchanged. */
class CollectingSink implements Sink {
  readonly #sink: Sink;
  readonly #artifacts = new Map<string, Artifact>();
  readonly #collected: { artifacts?: Artifact[] } = {};
  #finalParts: Part[] = [];
  #details: StatusOptions['message'];
  #ended = false;
  #waits = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  async status(content?: Content, options: StatusOptions = {}): Promise<void> {
    const { state = 'TASK_STATE_WORKING', message } = options;
    if (state === 'TASK_STATE_COMPLETED') {
      this.#details = message;
      return this.complete(content);
    }
    // A turn that waits is noted, so that the next process runs it if this one stops meanwhile.
    if (state === 'TASK_STATE_SUBMITTED' || this.#waits) {
      this.#waits = state === 'TASK_STATE_SUBMITTED';
      return this.#sink.status(this.#waits ? content : undefined, { state });
    }
    if (state === 'TASK_STATE_WORKING') return;
    await this.#writeToTask(() => this.#sink.status(content, options));
  }

  async artifact(input: ArtifactInput): Promise<string> {
    const { append = false, lastChunk: _last, eventMetadata: _event, ...fields } = input;
    const { artifactId = `${this.#artifacts.size}` } = fields;
    const artifact = { ...fields, artifactId, parts: [...partsOf(fields.parts)] };
    applyArtifactUpdate(this.#collected, this.#artifacts, { artifact, append });
    return artifactId;
  }

  message(content: Content, details?: StatusOptions['message']): Promise<void> {
    this.#ended = true;
    return this.#sink.message(content, details);
  }

  askInput(content: Content, options?: AskOptions): Promise<void> {
    return this.#writeToTask(() => this.#sink.askInput(content, options));
  }

  askAuth(content: Content, options?: AskOptions): Promise<void> {
    return this.#writeToTask(() => this.#sink.askAuth(content, options));
  }

  async complete(content?: Content): Promise<void> {
    this.#finalParts = content === undefined ? [] : [...partsOf(content)];
  }

  fail(content: Content): Promise<void> {
    return this.#writeToTask(() => this.#sink.fail(content));
  }

  reject(content: Content): Promise<void> {
    return this.#writeToTask(() => this.#sink.reject(content));
  }

  flush(): Promise<void> {
    return this.#sink.flush();
  }

  /** The turn has ended: what was collected is the answer. */
  async finish(): Promise<void> {
    if (this.#ended) return;
    await this.#sink.message(this.#answer(), this.#details);
  }

  /**
   * Texts are in the artifacts and in the final status, files only in the artifacts: these have the order of both. If the
   * final status says something else, that is the answer, followed by the files.
   */
  #answer(): Part[] {
    const collected = [...this.#artifacts.values()].flatMap(({ parts }) => parts);
    const files = collected.filter(isFile);
    const texts = collected.filter((part) => !isFile(part));
    const isSaid = this.#finalParts.length === 0 || isDeepStrictEqual(texts, this.#finalParts);
    const parts = isSaid ? collected : [...this.#finalParts, ...files];
    return parts.length > 0 ? parts : [{ text: '' }];
  }

  /** This needs a task: what was collected is written to it first. */
  async #writeToTask(write: () => Promise<void>): Promise<void> {
    this.#ended = true;
    for (const artifact of this.#artifacts.values()) {
      await this.#sink.artifact({ ...artifact, lastChunk: true });
    }
    await write();
  }
}

function isFile(part: Part): boolean {
  return part.raw !== undefined;
}
