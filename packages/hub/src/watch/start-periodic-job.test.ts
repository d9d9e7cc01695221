import { noopLog } from '@holdword/runtime/internal';
import { expect, test } from 'vitest';
import { startPeriodicJob } from './start-periodic-job.ts';

test('a failed run is logged, and the next one follows', async () => {
  const logged: string[] = [];
  let count = 0;
  const job = startPeriodicJob({
    everyMilliseconds: 1,
    run: async () => {
      count += 1;
      if (count === 1) throw new Error('no disk');
    },
    failure: 'It failed.',
    log: { ...noopLog, error: (message, fields) => logged.push(`${message} ${String(fields?.['error'])}`) },
  });
  await expect.poll(() => count).toBeGreaterThan(2);
  await job.stop();
  expect(logged).toEqual(['It failed. Error: no disk']);
});

test('runs do not overlap, and stopping ends the current one', async () => {
  let running = 0;
  let most = 0;
  let begun = 0;
  const job = startPeriodicJob({
    everyMilliseconds: 1,
    run: async (signal) => {
      begun += 1;
      running += 1;
      most = Math.max(most, running);
      if (begun === 1) await new Promise((resolve) => setTimeout(resolve, 20));
      else await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      running -= 1;
    },
    failure: '',
    log: noopLog,
  });
  await expect.poll(() => begun).toBe(2);
  await job.stop();
  expect({ running, most, begun }).toEqual({ running: 0, most: 1, begun: 2 });
});
