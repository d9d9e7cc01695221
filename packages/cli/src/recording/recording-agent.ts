import { isConnectionError } from '@holdword/net/internal';
import {
  A2AError,
  type Message,
  type OperationName,
  type SendMessageRequest,
  type StreamResponse,
} from '@holdword/protocol';
import { asObject, OPERATION_NAMES, OPERATIONS } from '@holdword/protocol/internal';
import type { EventStream, Operations, RequestContext, StreamFrame } from '@holdword/runtime';
import type { CalledAgent } from '../calling/called-agent.ts';
import type { RecordedEvent } from './recording-format.ts';
import { TaskTrace } from './task-trace.ts';

/*
 * An agent that passes every request on to another one, and records what comes back. It decodes requests and encodes responses
 * like any agent that is served here, so that clients of every version and both HTTP bindings can be recorded, whatever the
 * other agent speaks.
 */

export interface Recorder {
  write(event: RecordedEvent): Promise<void>;
}

type Pass = (request: object, context: RequestContext) => Promise<unknown>;

/** The operations of the agent, recorded. */
export function recordingOperations(agent: CalledAgent, recorder: Recorder): Operations {
  const recording = new Recording(recorder);
  const operations = OPERATION_NAMES.filter((name) => name !== 'getExtendedAgentCard').map(
    (name): [string, Pass] => {
      if (OPERATIONS[name].response === 'events') {
        return [
          name,
          (request, context) => passStream(agent, name as 'subscribeToTask', request, context, recording),
        ];
      }
      return [
        name,
        async (request, context) => {
          const answer = await reached(() => agent.call(name as 'getTask', request as never, context.signal));
          await recording.add(eventIn(name, answer), inputOf(request));
          return answer;
        },
      ];
    },
  );
  return Object.fromEntries(operations) as unknown as Operations;
}

/** What an answer tells about a task. Undefined if it tells nothing that is recorded. */
function eventIn(operation: OperationName, answer: unknown): StreamResponse | undefined {
  const { response } = OPERATIONS[operation];
  if (response === 'task') return { task: answer } as StreamResponse;
  if (response !== 'sendResponse') return undefined;
  const { task, message } = asObject(answer);
  return (message === undefined ? { task } : { message }) as StreamResponse;
}

function inputOf(request: object): Message | undefined {
  return (request as Partial<SendMessageRequest>).message;
}

/** Resolves when the first event has arrived, so that an error before it is an ordinary error response. */
async function passStream(
  agent: CalledAgent,
  name: 'subscribeToTask',
  request: object,
  { signal, resumeAfter }: RequestContext,
  recording: Recording,
): Promise<EventStream> {
  const resume = resumeAfter === undefined ? {} : { resumeAfter };
  const stream = agent.stream(name, request as never, { signal, ...resume });
  const frames = stream[Symbol.asyncIterator]();
  const first = await reached(() => frames.next());
  return passed(frames, first, inputOf(request), recording);
}

async function* passed(
  frames: AsyncIterator<{ json: unknown; id?: string | undefined }>,
  first: IteratorResult<{ json: unknown; id?: string | undefined }>,
  input: Message | undefined,
  recording: Recording,
): EventStream {
  const source = {};
  let isFirst = true;
  try {
    for (let next = first; next.done !== true; next = await reached(() => frames.next())) {
      const { json, id } = next.value;
      await recording.add(json as StreamResponse, isFirst ? input : undefined, source);
      isFirst = false;
      yield [frameOf(json, id)];
    }
  } finally {
    recording.end(source);
    await frames.return?.();
  }
}

function frameOf(json: unknown, id: string | undefined): StreamFrame {
  const frame = { json: JSON.stringify(json) };
  return id !== undefined && /^\d{1,15}$/.test(id) ? { ...frame, sequence: Number(id) } : frame;
}

async function reached<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!isConnectionError(error)) throw error;
    throw new A2AError('UNAVAILABLE', `The agent that is recorded cannot be reached: ${error.message}.`, {
      cause: error,
    });
  }
}

/** Writes events one after the other, in the order in which they arrived. */
class Recording {
  readonly #recorder: Recorder;
  readonly #trace = new TaskTrace();
  #writing = Promise.resolve();

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** Something that the agent sent: on a stream, or as an answer of its own. */
  async add(event: StreamResponse | undefined, input: Message | undefined, stream?: object): Promise<void> {
    if (event === undefined) return;
    const source = stream ?? {};
    const events = this.#trace.add(event, input, source);
    if (stream === undefined) this.#trace.end(source);
    const before = this.#writing;
    this.#writing = this.#write(events, before);
    await this.#writing;
  }

  async #write(events: readonly RecordedEvent[], before: Promise<void>): Promise<void> {
    await before;
    for (const each of events) await this.#recorder.write(each);
  }

  end(source: object): void {
    this.#trace.end(source);
  }
}
