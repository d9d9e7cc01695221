import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { callJson } from '../load/call-json.ts';
import { Connection } from '../load/connection.ts';
import { openConnections, type OpenConnections } from '../load/open-connections.ts';
import { RequestTemplate } from '../load/request-template.ts';
import type { Measure } from '../measures.ts';
import { HOLDWORD, type Peer } from '../peers/peer.ts';
import { startPeer } from '../peers/running-peer.ts';
import { userMessage } from '../peers/work.ts';
import { median } from '../report/statistics.ts';
import { atMost } from '../report/target.ts';
import type { GrowthSizes } from './growth-sizes.ts';

const run = promisify(execFile);
const SERVERS = 3;
const WARM_UP_SUBSCRIBERS = 100;
/**
 * Subscribers connect in groups. If thousands connect at once, Node grows its young generation by tens of megabytes and keeps
 * them, even if the subscribers disconnect: that is the cost of a burst, not of idle subscribers.
 */
export const AT_ONCE = 50;
const SETTLE_SAMPLES = 10;
const SETTLE_MILLISECONDS = 500;

/**
 * Collects all garbage when it is asked to. An idle server creates no objects, so V8 leaves what the connecting of subscribers
 * left behind, which differs by some KiB per subscriber from run to run.
 */
const COLLECT_ON_SIGNAL = "process.on('SIGUSR2', () => gc({ type: 'major', flavor: 'last-resort' }))";

export const COLLECTING: Peer = {
  ...HOLDWORD,
  arguments: (folder) => [
    '--expose-gc',
    '--import',
    `data:text/javascript,${encodeURIComponent(COLLECT_ON_SIGNAL)}`,
    ...HOLDWORD.arguments(folder),
  ],
};

/** The memory of the server process per subscriber while the task is idle. The median of several servers. */
export async function subscriberCost(dataFolder: string, { subscribers }: GrowthSizes): Promise<Measure> {
  const costs: number[] = [];
  for (let server = 1; server <= SERVERS; server += 1) {
    costs.push(await costOnOne(dataFolder, subscribers));
  }
  const each = median(costs);
  return {
    figures: { kibibytesPerSubscriber: each },
    target: atMost(`KiB of each of ${subscribers} idle subscribers`, 24, each),
  };
}

async function costOnOne(dataFolder: string, count: number): Promise<number> {
  await using server = await startPeer(COLLECTING, dataFolder);
  const taskId = await startQuietTask(server.url);
  const warmUp = await subscribe(server.url, taskId, WARM_UP_SUBSCRIBERS);
  warmUp[Symbol.dispose]();
  const before = await settledKibibytes(server.processId);
  using subscribers = await subscribe(server.url, taskId, count);
  return ((await settledKibibytes(server.processId)) - before) / subscribers.open.length;
}

/** A task that works for an hour and says nothing. */
export async function startQuietTask(url: URL): Promise<string> {
  using connection = await Connection.open(url);
  const result = await callJson(connection, url, {
    method: 'SendMessage',
    params: {
      message: userMessage(RequestTemplate.id, 'wait 3600'),
      configuration: { returnImmediately: true },
    },
  });
  const { task } = result as { task?: { id?: string } };
  if (task?.id === undefined) throw new Error('The server returned no waiting task.');
  return task.id;
}

/** Opens streams and waits for the first frame of each. */
async function subscribe(url: URL, taskId: string, count: number): Promise<OpenConnections> {
  const connections = await openConnections(url, count);
  const template = new RequestTemplate(url, { method: 'SubscribeToTask', params: { id: taskId } });
  for (let first = 0; first < count; first += AT_ONCE) {
    const group = connections.open.slice(first, first + AT_ONCE);
    await Promise.all(group.map((connection) => firstBytes(connection, template.next().bytes)));
  }
  return connections;
}

function firstBytes(connection: Connection, request: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = connection.exchange(request, { body: () => resolve(), end: () => {} });
    ended.then(() => reject(new Error('The stream ended but must stay open.')), reject);
  });
}

/** The lowest resident memory within some seconds after garbage was collected. */
export async function settledKibibytes(processId: number): Promise<number> {
  process.kill(processId, 'SIGUSR2');
  let least = Number.POSITIVE_INFINITY;
  for (let sample = 0; sample < SETTLE_SAMPLES; sample += 1) {
    await setTimeout(SETTLE_MILLISECONDS);
    const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(processId)]);
    least = Math.min(least, Number(stdout));
  }
  return least;
}
