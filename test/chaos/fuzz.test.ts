import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawnHoldword, type ServedHoldword } from '../support/spawn-holdword.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { watchForLeaks } from '../support/watch-for-leaks.ts';
import { goodCall } from './fuzz/good-call.ts';
import { GrpcFuzzer } from './fuzz/grpc-fuzzer.ts';
import { HttpFuzzer } from './fuzz/http-fuzzer.ts';
import { MeasuredUsage } from './fuzz/measured-usage.ts';
import { readMetric } from './fuzz/read-metric.ts';
import { campaignSeed, Random } from './random.ts';
import { SCALE } from './scale.ts';
import { printSummary } from './summary.ts';
import { inParallel } from './verify/in-parallel.ts';

const AT_ONCE = 16;
/** Over gRPC, of all requests. */
const GRPC_SHARE = 0.2;
const WARM_UP = 1_000;
/** What a malformed request may cost of the server's processor time, compared with a good one that makes a task. */
const MOST_COST = 2;
/** Several times what the server needs: one that held much at once would end. */
const HEAP_LIMIT_MEBIBYTES = 100;
/** Code that is compiled on the way, half as much at most; and what is kept of a request, which is nothing. */
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
  const complaints: string[] = [];
  const attack = (from: number, to: number): Promise<void> =>
    inParallel(range(from, to), AT_ONCE, async (number) => {
      const random = new Random(`${seed}/${number}`);
      const complaint = await (random.chance(GRPC_SHARE) ? grpc : http).send(random);
      if (complaint !== undefined) complaints.push(`request ${number}: ${complaint}`);
    });

  await attack(0, WARM_UP);
  const measured = new MeasuredUsage(server);
  const start = await measured.now();
  await inParallel(range(0, WARM_UP), AT_ONCE, () => goodCall(restUrl));
  const afterGood = await measured.now();
  await attack(WARM_UP, SCALE.malformedRequests);
  const afterBad = await measured.now();
  const perGood = (afterGood.microseconds - start.microseconds) / WARM_UP;
  const perBad = (afterBad.microseconds - afterGood.microseconds) / (SCALE.malformedRequests - WARM_UP);
  const growth = async (): Promise<number> => (await measured.now()).bytes - start.bytes;
  http.close();
  grpc.close();

  expect(complaints.slice(0, 10)).toEqual([]);
  expect(await readMetric(baseUrl, 'holdword_requests_total', 'outcome="INTERNAL"')).toBe(0);
  expect(await readMetric(baseUrl, 'holdword_streams_open')).toBe(0);
  // The server may still be at what was broken off last.
  await expect
    .poll(growth, { timeout: 10_000, interval: 500 })
    .toBeLessThan(GROWTH_LIMIT_BYTES + GROWTH_LIMIT_BYTES_PER_REQUEST * (SCALE.malformedRequests - WARM_UP));
  expect(perBad).toBeLessThan(perGood * MOST_COST);
  printSummary('Malformed requests: every answer well-formed, nothing broken', {
    requests: SCALE.malformedRequests,
    'processor time of a good call in µs': perGood.toFixed(0),
    'processor time of a malformed one in µs': perBad.toFixed(0),
    'growth of memory in KiB': ((await growth()) / 1024).toFixed(0),
  });
});

function* range(from: number, to: number): Generator<number, void, undefined> {
  for (let number = from; number < to; number += 1) yield number;
}
