import { TaskState } from '@a2a-js/sdk';
import type { AgentExecutor, ExecutionEventBus, RequestContext } from '@a2a-js/sdk/server';
import { Gates } from '../../support/gates.ts';
import { type ArtifactChunk, requestText, SdkBus, sdkTextPart } from '../../support/sdk-bus.ts';

interface Turn {
  readonly request: RequestContext;
  readonly bus: SdkBus;
}

/**
 * An agent on the official SDK's executor interface that does what the message says, in steps separated by `;`:
 * `artifact NAME TEXT`, `append NAME TEXT`, `large KIND NAME KILOBYTES`, `mirror`, `wait GATE`, `ask TEXT`, `message TEXT`,
 * `fail TEXT`.
 * A script that neither asks nor fails completes the task.
 */
export class SdkScript implements AgentExecutor {
  readonly gates = new Gates();
  readonly #canceled = new Map<string, AbortController>();
  readonly #isUndated: boolean;

  /** @param isUndated Statuses have no time, and a turn begins with the task as the turn before left it. */
  constructor(isUndated = false) {
    this.#isUndated = isUndated;
  }

  async execute(request: RequestContext, executionBus: ExecutionEventBus): Promise<void> {
    const bus = new SdkBus(request, executionBus, this.#isUndated);
    const canceled = new AbortController();
    this.#canceled.set(request.taskId, canceled);
    const [first = '', ...rest] = requestText(request).split(';');
    if (first.startsWith('message ')) {
      bus.message(first.slice('message '.length));
      bus.finished();
      return;
    }
    if (this.#isUndated) bus.sameTask();
    else bus.task(TaskState.TASK_STATE_WORKING);
    try {
      for (const step of [first, ...rest]) {
        if (await this.#step(step.trim(), { request, bus }, canceled.signal)) return;
      }
      bus.status(TaskState.TASK_STATE_COMPLETED, 'done');
    } catch {
      bus.status(TaskState.TASK_STATE_CANCELED, 'canceled');
    } finally {
      bus.finished();
    }
  }

  cancelTask(taskId: string): Promise<void> {
    this.#canceled.get(taskId)?.abort();
    return Promise.resolve();
  }

  /** Whether the turn is over. */
  async #step(step: string, { request, bus }: Turn, signal: AbortSignal): Promise<boolean> {
    const [word = '', name = '', ...words] = step.split(' ');
    switch (word) {
      case 'artifact':
      case 'append':
        bus.artifact({
          artifactId: name,
          parts: [sdkTextPart(words.join(' '))],
          append: word === 'append',
          lastChunk: false,
        });
        return false;
      case 'large':
        for (const chunk of largeChunks(name, words[0] ?? '', Number(words[1]))) bus.artifact(chunk);
        return false;
      case 'mirror':
        bus.artifact({
          artifactId: 'mirror',
          parts: request.userMessage.parts,
          append: false,
          lastChunk: false,
        });
        return false;
      case 'wait':
        await this.gates.pass(name, signal);
        return false;
      case 'ask':
        bus.status(TaskState.TASK_STATE_INPUT_REQUIRED, [name, ...words].join(' '));
        return true;
      case 'fail':
        bus.status(TaskState.TASK_STATE_FAILED, [name, ...words].join(' '));
        return true;
      default:
        return false;
    }
  }
}

/** A kilobyte of the large contents: 16 lines. */
const KILOBYTE = '0123456789 abcdefghijklmnopqrstuvwxyz "quoted" and \\ escaped.\n'.repeat(16);

/** A large artifact: a `text`, the same text in ten `chunks`, a `file`, or a `table`. */
function* largeChunks(kind: string, artifactId: string, kilobytes: number): Generator<ArtifactChunk> {
  const chunk = (part: ArtifactChunk['parts'][number], append = false): ArtifactChunk => ({
    artifactId,
    parts: [part],
    append,
    lastChunk: false,
  });
  if (kind === 'text') yield chunk(sdkTextPart(KILOBYTE.repeat(kilobytes)));
  if (kind === 'chunks') {
    for (let sent = 0; sent < 10; sent += 1)
      yield chunk(sdkTextPart(KILOBYTE.repeat(kilobytes / 10)), sent > 0);
  }
  if (kind === 'file') {
    const value = Buffer.from(KILOBYTE.repeat(kilobytes));
    yield chunk({
      content: { $case: 'raw', value },
      metadata: undefined,
      filename: 'large.log',
      mediaType: 'text/plain',
    });
  }
  if (kind === 'table') {
    const value = Array.from({ length: kilobytes }, (_, row) => ({ row, text: KILOBYTE }));
    yield chunk({ content: { $case: 'data', value }, metadata: undefined, filename: '', mediaType: '' });
  }
}
