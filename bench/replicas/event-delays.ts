import { callJson } from '../load/call-json.ts';
import { Connection } from '../load/connection.ts';
import { RequestTemplate } from '../load/request-template.ts';
import { userMessage } from '../peers/work.ts';
import { percentile } from '../report/statistics.ts';
import { EventArrival } from './event-arrival.ts';

/** Milliseconds from sending a message until the event that ends its turn arrives at a reader. */
export type EventDelays = {
  /** The reader's stream is on the replica that runs the task. */
  readonly ownP50: number;
  readonly ownP99: number;
  /** The reader's stream is on another replica. */
  readonly otherP50: number;
  readonly otherP99: number;
  /** How much later the same event arrived on the other replica. */
  readonly moreP50: number;
  readonly moreP99: number;
};

/** Subscribes to tasks of one replica on both: the two readers wait for the same event with the same clock. */
export async function measureEventDelays(owner: URL, other: URL, samples: number): Promise<EventDelays> {
  using caller = await Connection.open(owner);
  using ownReader = await Connection.open(owner);
  using otherReader = await Connection.open(other);
  const own: number[] = [];
  const others: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const ids = await askedTask(caller, owner);
    const arrivals = [new EventArrival(), new EventArrival()] as const;
    const streams = Promise.all([
      ownReader.exchange(subscribeRequest(owner, ids.taskId), arrivals[0]),
      otherReader.exchange(subscribeRequest(other, ids.taskId), arrivals[1]),
    ]);
    await Promise.race([streams, Promise.all(arrivals.map(({ opened }) => opened))]);
    const sentAt = performance.now();
    await sendText(caller, owner, 'Ada', ids);
    await streams;
    own.push(arrivals[0].arrivedAt - sentAt);
    others.push(arrivals[1].arrivedAt - sentAt);
  }
  return summary(own, others);
}

/** A task that waits for its user. */
async function askedTask(caller: Connection, url: URL): Promise<{ taskId: string; contextId: string }> {
  const result = await sendText(caller, url, 'ask me');
  const { task } = result as { task?: { id?: string; contextId?: string } };
  if (task?.id === undefined || task.contextId === undefined) {
    throw new Error('The server returned no waiting task.');
  }
  return { taskId: task.id, contextId: task.contextId };
}

function sendText(caller: Connection, url: URL, text: string, ids: object = {}): Promise<unknown> {
  return callJson(caller, url, {
    method: 'SendMessage',
    params: { message: { ...userMessage(RequestTemplate.id, text), ...ids } },
  });
}

function subscribeRequest(url: URL, taskId: string): Buffer {
  return new RequestTemplate(url, { method: 'SubscribeToTask', params: { id: taskId } }).next().bytes;
}

function summary(own: readonly number[], others: readonly number[]): EventDelays {
  const more = others.map((delay, index) => delay - (own[index] ?? delay));
  const [sortedOwn, sortedOthers, sortedMore] = [own, others, more].map((delays) =>
    delays.toSorted((a, b) => a - b),
  ) as [number[], number[], number[]];
  return {
    ownP50: percentile(sortedOwn, 0.5),
    ownP99: percentile(sortedOwn, 0.99),
    otherP50: percentile(sortedOthers, 0.5),
    otherP99: percentile(sortedOthers, 0.99),
    moreP50: percentile(sortedMore, 0.5),
    moreP99: percentile(sortedMore, 0.99),
  };
}
