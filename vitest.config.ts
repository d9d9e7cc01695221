import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

const FULL_CHAOS = process.env['HOLDWORD_CHAOS'] === 'full';
/** More than there are cores: most tests wait for a disk, a process or a clock. */
const WORKERS = availableParallelism() + 1;

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'scripts/**/*.test.ts',
            'bench/**/*.test.ts',
            'test/support/**/*.test.ts',
            'test/interop/*.test.ts',
            '*.test.ts',
          ],
          // Long enough for a busy machine: some tests start several processes.
          testTimeout: 60_000,
          // Files share a process: loading the packages again for each of them takes longer than the tests.
          isolate: false,
          maxWorkers: WORKERS,
          // A busy machine makes a poll slow, not wrong.
          expect: { poll: { timeout: 10_000 } },
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts', 'examples/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          isolate: false,
          maxWorkers: WORKERS,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'openclaw',
          include: ['test/openclaw/**/*.test.ts'],
          globalSetup: ['test/openclaw/harness/install-openclaw.ts'],
          // OpenClaw takes ten seconds to start on an idle machine, and a minute on a busy one.
          testTimeout: 600_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 120_000 } },
          maxConcurrency: 2,
          maxWorkers: WORKERS,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'chaos',
          include: ['test/chaos/**/*.test.ts'],
          testTimeout: FULL_CHAOS ? 3_600_000 : 180_000,
          hookTimeout: 60_000,
          // After the others: killing servers under load starves whatever runs beside it.
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
