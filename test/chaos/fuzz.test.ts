import { afterAll, beforeAll, expect, test } from 'vitest';
import { median } from '../../bench/report/statistics.ts';
import { spawnHoldword, type ServedHoldword } from '../support/spawn-holdword.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { watchForLeaks } from '../support/watch-for-leaks.ts';
import { sendValidRequest } from './fuzz/valid-request.ts';
import { GrpcFuzzer } from './fuzz/grpc-fuzzer.ts';
import { HttpFuzzer } from './fuzz/http-fuzzer.ts';
import { MeasuredUsage } from './fuzz/measured-usage.ts';
import { readMetric } from './fuzz/read-metric.ts';
import { campaignSeed, Random } from './random.ts';
import { SCALE } from './scale.ts';
import { printSummary } from './summary.ts';
import { inParallel } from './verify/in-parallel.ts';

const AT_ONCE = 16;
/** The share of requests sent over gRPC. */
const GRPC_SHARE = 0.2;
const WARM_UP = 1_000;
/**
 * Malformed and valid requests alternate in windows, and a malformed one is compared with the valid ones right after it: on a
 * virtual machine the CPU time of the same work changes several times within a campaign, by what else the host does.
 */
const WINDOWS = 10;
const VALID_IN_WINDOW = 300;
/** The CPU time of a malformed request, relative to a valid one that creates a task, in the middle one of the windows. */
const MOST_COST = 2;
/** Several times what the server needs: a server that buffers much would exceed it. */
const HEAP_LIMIT_MEBIBYTES = 100;
/** Allows for code compiled meanwhile; requests themselves must not be retained. */
const GROWTH_LIMIT_BYTES = 1_900_000;
const GROWTH_LIMIT_BYTES_PER_REQUEST = 64;

watchForLeaks();

const folder = await temporaryFolder();
let server: ServedHoldword;

beforeAll(async () => {
  server = await spawnHoldword(['--data', folder.path], {
    environment: {
      NODE_OPTIONS: `--max-old-space-size=${HEAP_LIMIT_MEBIBYTES} ${MeasuredUsage.nodeOptions}`,
    },
  });
});

afterAll(async () => {
  await server.kill();
  await folder.remove();
});

test(`${SCALE.malformedRequests} malformed requests break nothing`, async () => {
  const seed = campaignSeed();
  printSummary('Malformed requests', { 'HOLDWORD_CHAOS_SEED to repeat': seed });
  const { restUrl, baseUrl, grpcAddress } = server.target;
  const http = new HttpFuzzer(baseUrl);
  const grpc = new GrpcFuzzer(grpcAddress);
  const problems: string[] = [];
  const attack = (from: number, to: number): Promise<void> =>
    inParallel(range(from, to), AT_ONCE, async (number) => {
      const random = new Random(`${seed}/${number}`);
      const problem = await (random.chance(GRPC_SHARE) ? grpc : http).send(random);
      if (problem !== undefined) problems.push(`request ${number}: ${problem}`);
    });

  const measured = new MeasuredUsage(server);
  /** The CPU time of each of so many requests. */
  const costOf = async (requests: number, send: () => Promise<void>): Promise<number> => {
    const before = await measured.now();
    await send();
    return ((await measured.now()).microseconds - before.microseconds) / requests;
  };
  const sendValid = (): Promise<void> =>
    inParallel(range(0, VALID_IN_WINDOW), AT_ONCE, () => sendValidRequest(restUrl));

  await attack(0, WARM_UP);
  await inParallel(range(0, WARM_UP), AT_ONCE, () => sendValidRequest(restUrl));
  const start = await measured.now();
  const inWindow = (SCALE.malformedRequests - WARM_UP) / WINDOWS;
  const costs: { malformed: number; valid: number }[] = [];
  for (let window = 0; window < WINDOWS; window += 1) {
    const from = WARM_UP + window * inWindow;
    const malformed = await costOf(inWindow, () => attack(from, from + inWindow));
    costs.push({ malformed, valid: await costOf(VALID_IN_WINDOW, sendValid) });
  }
  const growth = async (): Promise<number> => (await measured.now()).bytes - start.bytes;
  /** Of the first half of the campaign, and of the second: what accumulates makes the second dearer. */
  const [early, late] = [costs.slice(0, WINDOWS / 2), costs.slice(WINDOWS / 2)].map((half) =>
    median(half.map(({ malformed, valid }) => malformed / valid)),
  );
  http.close();
  grpc.close();

  expect(problems.slice(0, 10)).toEqual([]);
  expect(await readMetric(baseUrl, 'holdword_requests_total', 'outcome="INTERNAL"')).toBe(0);
  expect(await readMetric(baseUrl, 'holdword_streams_open')).toBe(0);
  // The server may still be processing the last aborted requests.
  await expect
    .poll(growth, { timeout: 10_000, interval: 500 })
    .toBeLessThan(GROWTH_LIMIT_BYTES + GROWTH_LIMIT_BYTES_PER_REQUEST * (SCALE.malformedRequests - WARM_UP));
  expect(early).toBeLessThan(MOST_COST);
  expect(late).toBeLessThan(MOST_COST);
  printSummary('Malformed requests: every response well-formed, nothing broken', {
    requests: SCALE.malformedRequests,
    'CPU time of a valid request in µs, by window': inMicroseconds(costs.map(({ valid }) => valid)),
    'CPU time of a malformed request in µs, by window': inMicroseconds(
      costs.map(({ malformed }) => malformed),
    ),
    'malformed relative to valid, first and second half': [early, late]
      .map((ratio) => ratio?.toFixed(2))
      .join(', '),
    'memory growth in KiB': ((await growth()) / 1024).toFixed(0),
  });
});

function inMicroseconds(costs: readonly number[]): string {
  return costs.map((cost) => cost.toFixed(0)).join(' ');
}

function* range(from: number, to: number): Generator<number, void, undefined> {
  for (let number = from; number < to; number += 1) yield number;
}
