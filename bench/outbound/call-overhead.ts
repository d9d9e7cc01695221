import type { Measure } from '../measures.ts';
import { HOLDWORD } from '../peers/peer.ts';
import { startPeer } from '../peers/running-peer.ts';
import { percentile } from '../report/statistics.ts';
import { atMost } from '../report/target.ts';
import type { Caller } from './caller.ts';
import { openSdkCaller } from './open-sdk-caller.ts';
import { openToolCaller } from './open-tool-caller.ts';

const WARM_UPS = 100;
const TARGET_MILLISECONDS = 3;

export interface Samples {
  readonly warm: number;
  readonly cold: number;
}

type Open = (origin: string, dataFolder: string) => Promise<Caller>;

/** The overhead of a call with the tool over the plain client. The target is about warm calls. */
export async function callOverhead(dataFolder: string, samples: Samples): Promise<Measure> {
  await using peer = await startPeer(HOLDWORD, dataFolder);
  const { origin } = peer.url;
  const warm = await timeWarm(origin, dataFolder, samples.warm);
  const cold = await timeCold(origin, dataFolder, samples.cold);
  return {
    figures: { ...figuresOf('warm', warm), ...figuresOf('cold', cold) },
    target: atMost(
      'overhead of a warm call, p50 in ms',
      TARGET_MILLISECONDS,
      percentile(ascending(warm.overheads), 0.5),
    ),
  };
}

/** Warm: both have called the agent before. */
async function timeWarm(origin: string, dataFolder: string, samples: number): Promise<Times> {
  await using bare = await openSdkCaller(origin);
  await using tool = await openToolCaller(origin, dataFolder);
  return byTurns(
    samples,
    () => timeOf(() => bare.call()),
    () => timeOf(() => tool.call()),
  );
}

/** Cold: from nothing to the first response, with card, connection and, for the tool, its state. */
function timeCold(origin: string, dataFolder: string, samples: number): Promise<Times> {
  return byTurns(
    samples,
    () => timeOfFirst(openSdkCaller, origin, dataFolder),
    () => timeOfFirst(openToolCaller, origin, dataFolder),
  );
}

interface Times {
  readonly bare: number[];
  readonly overheads: number[];
}

/** Each difference of two consecutive calls is one sample. */
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

function figuresOf(name: string, { bare, overheads }: Times): Record<string, number> {
  const sorted = ascending(overheads);
  return {
    [`${name}BareP50Milliseconds`]: percentile(ascending(bare), 0.5),
    [`${name}OverheadP50Milliseconds`]: percentile(sorted, 0.5),
    [`${name}OverheadP99Milliseconds`]: percentile(sorted, 0.99),
  };
}

function ascending(values: readonly number[]): number[] {
  return values.toSorted((one, other) => one - other);
}
