import type { Measure } from '../measures.ts';
import { PARLEY } from '../peers/peer.ts';
import { startPeer } from '../peers/running-peer.ts';
import { percentile } from '../report/statistics.ts';
import { atMost, type Target } from '../report/target.ts';
import type { Caller } from './caller.ts';
import { openSdkCaller } from './open-sdk-caller.ts';
import { openToolCaller } from './open-tool-caller.ts';

const WARM_UPS = 100;
const WARM_TARGET_MILLISECONDS = 3;
const COLD_TARGET_MILLISECONDS = 100;

type Open = (origin: string, dataFolder: string) => Promise<Caller>;

/** What a call costs more by the tool than by the bare client, when both have called the agent before. */
export async function warmOverhead(dataFolder: string, samples: number): Promise<Measure> {
  await using peer = await startPeer(PARLEY, dataFolder);
  await using bare = await openSdkCaller(peer.url.origin);
  await using tool = await openToolCaller(peer.url.origin, dataFolder);
  const times = await byTurns(
    samples,
    () => timeOf(() => bare.call()),
    () => timeOf(() => tool.call()),
  );
  return measureOf('warm', times, (overhead) =>
    atMost('overhead of a warm call, p50 in ms', WARM_TARGET_MILLISECONDS, overhead),
  );
}

/** The same when neither has: from nothing to the first answer, with card, connection and, for the tool, its state. */
export async function coldOverhead(dataFolder: string, samples: number): Promise<Measure> {
  await using peer = await startPeer(PARLEY, dataFolder);
  const { origin } = peer.url;
  const times = await byTurns(
    samples,
    () => timeOfFirst(openSdkCaller, origin, dataFolder),
    () => timeOfFirst(openToolCaller, origin, dataFolder),
  );
  return measureOf('cold', times, (overhead) =>
    atMost('overhead of a cold call, p50 in ms', COLD_TARGET_MILLISECONDS, overhead),
  );
}

interface Times {
  readonly bare: number[];
  readonly overheads: number[];
}

/** Each difference of two calls that follow one another is one sample. */
async function byTurns(
  samples: number,
  timeBare: () => Promise<number>,
  timeTool: () => Promise<number>,
): Promise<Times> {
  const times: Times = { bare: [], overheads: [] };
  for (let sample = -Math.min(WARM_UPS, samples); sample < samples; sample += 1) {
    const bare = await timeBare();
    const tool = await timeTool();
    if (sample < 0) continue;
    times.bare.push(bare);
    times.overheads.push(tool - bare);
  }
  return times;
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function timeOfFirst(open: Open, origin: string, dataFolder: string): Promise<number> {
  const start = performance.now();
  await using caller = await open(origin, dataFolder);
  await caller.call();
  return performance.now() - start;
}

function measureOf(name: string, { bare, overheads }: Times, target: (overhead: number) => Target): Measure {
  const ascending = overheads.toSorted((one, other) => one - other);
  const bareAscending = bare.toSorted((one, other) => one - other);
  const overhead = percentile(ascending, 0.5);
  return {
    figures: {
      [`${name}BareP50Milliseconds`]: percentile(bareAscending, 0.5),
      [`${name}OverheadP50Milliseconds`]: overhead,
      [`${name}OverheadP99Milliseconds`]: percentile(ascending, 0.99),
    },
    target: target(overhead),
  };
}
