import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { AT_ONCE, COLLECTING, settledKibibytes, startQuietTask } from './growth/subscriber-cost.ts';
import { callJson } from './load/call-json.ts';
import { CollectedBody } from './load/collected-response.ts';
import { Connection } from './load/connection.ts';
import { openConnections, type OpenConnections } from './load/open-connections.ts';
import { RequestTemplate } from './load/request-template.ts';
import { takeMeasures } from './measures.ts';
import type { BenchOptions } from './options.ts';
import { cpuTime } from './peers/cpu-time.ts';
import type { Peer } from './peers/peer.ts';
import { startPeer } from './peers/running-peer.ts';
import type { BenchResult } from './report/report.ts';
import { median } from './report/statistics.ts';
import { atMost } from './report/target.ts';

const SERVERS = 3;
const WARM_UP_POLLS = 100;
const FULL = { polls: 1_000, idleSeconds: 10 };
const QUICK = { polls: 100, idleSeconds: 2 };
const MOST_KIBIBYTES = 20;
/** Linux counts CPU time in steps of this. */
const MOST_CPU_MILLISECONDS_PER_SECOND = 10;
const HEADERS = { 'A2A-Version': '1.1' };

/** What a GetTask of A2A 1.1 costs a server while it waits for a change, and whether all of them are answered by one. */
export function longpoll({ quick, dataFolder, progress }: BenchOptions): Promise<BenchResult> {
  const sizes = quick ? QUICK : FULL;
  const costs: Promise<Cost[]> = costsOf(dataFolder, sizes, progress);
  return takeMeasures(
    'longpoll',
    [
      [
        'the memory of a request that waits',
        async () => {
          const each = median((await costs).map(({ kibibytes }) => kibibytes));
          return {
            figures: { kibibytesPerPoll: each },
            target: atMost(`KiB of each of ${sizes.polls} held requests`, MOST_KIBIBYTES, each),
          };
        },
      ],
      [
        'the CPU time while nothing happens',
        async () => {
          const idle = median((await costs).map(({ idleCpu }) => idleCpu));
          const held = median((await costs).map(({ heldCpu }) => heldCpu));
          return {
            figures: { cpuMillisecondsPerSecondWithout: idle, cpuMillisecondsPerSecondWith: held },
            target: atMost(
              `CPU ms/s of ${sizes.polls} held requests`,
              MOST_CPU_MILLISECONDS_PER_SECOND,
              held - idle,
            ),
          };
        },
      ],
    ],
    progress,
  );
}

interface Cost {
  readonly kibibytes: number;
  readonly idleCpu: number;
  readonly heldCpu: number;
}

async function costsOf(
  dataFolder: string,
  sizes: typeof FULL,
  progress: (line: string) => void,
): Promise<Cost[]> {
  const config = join(dataFolder, 'longpoll.config.json');
  writeFileSync(config, JSON.stringify({ limits: { longPollSeconds: 3600 } }));
  const peer: Peer = {
    ...COLLECTING,
    arguments: (folder) => [...COLLECTING.arguments(folder), '--config', config],
  };
  const costs: Cost[] = [];
  for (let server = 1; server <= SERVERS; server += 1) {
    progress(`server ${server} of ${SERVERS}`);
    costs.push(await costOnOne(peer, dataFolder, sizes));
  }
  return costs;
}

async function costOnOne(peer: Peer, dataFolder: string, { polls, idleSeconds }: typeof FULL): Promise<Cost> {
  await using server = await startPeer(peer, dataFolder);
  const taskId = await startQuietTask(server.url);
  using control = await Connection.open(server.url);
  const current = await callJson(control, server.url, {
    method: 'GetTask',
    params: { id: taskId },
    headers: HEADERS,
  });
  const { generation = '' } = current as { generation?: string };
  const warmUp = await hold(server.url, { id: taskId, currentGeneration: generation }, WARM_UP_POLLS);
  warmUp.connections[Symbol.dispose]();
  await Promise.allSettled(warmUp.answers);
  const before = await settledKibibytes(server.processId);
  const idleCpu = await cpuPerSecond(server.processId, idleSeconds);

  const held = await hold(server.url, { id: taskId, currentGeneration: generation }, polls);
  using _ = held.connections;
  let answered = 0;
  for (const answer of held.answers) void answer.then(() => (answered += 1));
  const kibibytes = ((await settledKibibytes(server.processId)) - before) / polls;
  const heldCpu = await cpuPerSecond(server.processId, idleSeconds);
  if (answered > 0) throw new Error(`${answered} requests were answered although nothing had changed.`);
  await callJson(control, server.url, { method: 'CancelTask', params: { id: taskId } });
  for (const text of await Promise.all(held.answers)) {
    if (!text.includes('TASK_STATE_CANCELED')) throw new Error(`Expected the canceled task, found ${text}.`);
  }
  return { kibibytes, idleCpu, heldCpu };
}

interface HeldPolls {
  readonly connections: OpenConnections;
  readonly answers: readonly Promise<string>[];
}

async function hold(url: URL, params: object, count: number): Promise<HeldPolls> {
  const connections = await openConnections(url, count);
  const template = new RequestTemplate(url, { method: 'GetTask', params, headers: HEADERS });
  const answers: Promise<string>[] = [];
  for (const [index, connection] of connections.open.entries()) {
    const body = new CollectedBody();
    answers.push(connection.exchange(template.next().bytes, body).then(() => body.text));
    // In groups, as subscribers connect.
    if (index % AT_ONCE === AT_ONCE - 1) await setTimeout(20);
  }
  return { connections, answers };
}

async function cpuPerSecond(processId: number, seconds: number): Promise<number> {
  const before = await cpuTime(processId);
  await setTimeout(seconds * 1000);
  return ((await cpuTime(processId)) - before) / seconds;
}
