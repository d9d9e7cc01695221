import { randomUUID } from 'node:crypto';
import type { JsonObject, SendMessageResponse, StreamResponse, Task } from '@holdword/protocol';
import type { CallOptions, Driver, StreamedEvent } from '../support/drivers/driver.ts';

/** A send request with one text: the script of the scripted agent. */
export function say(text: string, message: JsonObject = {}, request: JsonObject = {}): JsonObject {
  return {
    message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...message },
    ...request,
  };
}

/** The same, answered immediately. */
export function sayAndLeave(text: string, message: JsonObject = {}): JsonObject {
  return say(text, message, { configuration: { returnImmediately: true } });
}

/** A name that no other test uses: for gates and contexts. */
export function unique(word: string): string {
  return `${word}-${randomUUID()}`;
}

export function taskOf(response: SendMessageResponse): Task {
  if (!('task' in response)) {
    throw new Error(`Expected a task, found ${JSON.stringify(response)}`);
  }
  return response.task;
}

export async function sendForTask(driver: Driver, request: JsonObject, options?: CallOptions): Promise<Task> {
  return taskOf(await driver.send(request, options));
}

/** A task that waits at the gate, with everything before it on disk. */
export async function startWaiting(driver: Driver, gate: string, before = ''): Promise<Task> {
  return sendForTask(driver, sayAndLeave(`${before}wait ${gate}; artifact end done; complete`));
}

/** All events to the end of the stream. */
export async function allEvents(events: AsyncIterable<StreamedEvent>): Promise<StreamResponse[]> {
  const all: StreamResponse[] = [];
  for await (const { event } of events) {
    all.push(event);
  }
  return all;
}

/** Reads a stream one event at a time, and can leave it early. */
export function oneByOne(events: AsyncIterable<StreamedEvent>): EventReader {
  const iterator = events[Symbol.asyncIterator]();
  const next = async (): Promise<StreamResponse | undefined> => {
    const { done, value } = await iterator.next();
    return done === true ? undefined : value.event;
  };
  return {
    nextTask: async () => {
      const event = await next();
      if (event === undefined || !('task' in event)) {
        throw new Error(`Expected a task, found ${JSON.stringify(event)}`);
      }
      return event.task;
    },
    next: async () => {
      const event = await next();
      return event === undefined ? undefined : outline([event])[0];
    },
    rest: async () => {
      const seen: StreamResponse[] = [];
      for (let event = await next(); event !== undefined; event = await next()) {
        seen.push(event);
      }
      return outline(seen);
    },
    leave: async () => {
      await iterator.return?.();
    },
  };
}

export interface EventReader {
  /** The next event, which must be a task. */
  nextTask(): Promise<Task>;
  /** The outline of the next event; undefined at the end. */
  next(): Promise<string | undefined>;
  /** The outlines of all following events. */
  rest(): Promise<string[]>;
  leave(): Promise<void>;
}

/** The kinds and contents of events in a word each, to read a whole stream at a glance. */
export function outline(events: readonly StreamResponse[]): string[] {
  return events.map((event) => {
    if ('task' in event) {
      return `task ${shortState(event.task.status.state)}`;
    }
    if ('message' in event) {
      return `message ${textOf(event.message.parts)}`;
    }
    if ('statusUpdate' in event) {
      const { state, message } = event.statusUpdate.status;
      return [shortState(state), ...(message === undefined ? [] : [textOf(message.parts)])].join(' ');
    }
    const { artifact, append, lastChunk } = event.artifactUpdate;
    const marks = `${append === true ? '+' : ''}${lastChunk === true ? '!' : ''}`;
    return `artifact${marks} ${artifact.artifactId} ${textOf(artifact.parts)}`;
  });
}

/** What a client can see of these outlines: the official 0.3 client drops `append` on REST and gRPC. */
export function asSeenBy({ client, version, binding }: Driver, outlines: readonly string[]): string[] {
  const dropsAppend = client === 'sdk' && version === '0.3' && binding !== 'JSONRPC';
  return outlines.map((line) => (dropsAppend ? line.replace('artifact+', 'artifact') : line));
}

export function textOf(parts: readonly { text?: string | undefined }[]): string {
  return parts.map(({ text }) => text ?? '').join('|');
}

export function artifactTexts(task: Task): Record<string, string> {
  return Object.fromEntries(
    (task.artifacts ?? []).map(({ artifactId, parts }) => [
      artifactId,
      parts.map(({ text }) => text).join(''),
    ]),
  );
}

function shortState(state: string): string {
  return state.replace('TASK_STATE_', '').toLowerCase();
}
