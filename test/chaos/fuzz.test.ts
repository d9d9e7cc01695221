import { afterAll, beforeAll, expect, test } from 'vitest';
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
/** The CPU time of a malformed request, relative to a valid one that creates a task. */
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

  await attack(0, WARM_UP);
  const measured = new MeasuredUsage(server);
  const start = await measured.now();
  await inParallel(range(0, WARM_UP), AT_ONCE, () => sendValidRequest(restUrl));
  const afterGood = await measured.now();
  await attack(WARM_UP, SCALE.malformedRequests);
  const afterBad = await measured.now();
  const perGood = (afterGood.microseconds - start.microseconds) / WARM_UP;
  const perBad = (afterBad.microseconds - afterGood.microseconds) / (SCALE.malformedRequests - WARM_UP);
  const growth = async (): Promise<number> => (await measured.now()).bytes - start.bytes;
  http.close();
  grpc.close();

  expect(problems.slice(0, 10)).toEqual([]);
  expect(await readMetric(baseUrl, 'holdword_requests_total', 'outcome="INTERNAL"')).toBe(0);
  expect(await readMetric(baseUrl, 'holdword_streams_open')).toBe(0);
  // The server may still be processing the last aborted requests.
  await expect
    .poll(growth, { timeout: 10_000, interval: 500 })
    .toBeLessThan(GROWTH_LIMIT_BYTES + GROWTH_LIMIT_BYTES_PER_REQUEST * (SCALE.malformedRequests - WARM_UP));
  expect(perBad).toBeLessThan(perGood * MOST_COST);
  printSummary('Malformed requests: every response well-formed, nothing broken', {
    requests: SCALE.malformedRequests,
    'CPU time of a valid request in µs': perGood.toFixed(0),
    'CPU time of a malformed request in µs': perBad.toFixed(0),
    'memory growth in KiB': ((await growth()) / 1024).toFixed(0),
  });
});

function* range(from: number, to: number): Generator<number, void, undefined> {
  for (let number = from; number < to; number += 1) yield number;
}
