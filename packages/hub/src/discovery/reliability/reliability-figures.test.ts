import { expect, test } from 'vitest';
import { ReliabilityFigures } from './reliability-figures.ts';

test('before anything happened there is nothing to say but since when', () => {
  let now = 1_000;
  const figures = new ReliabilityFigures(() => now);
  now += 90_500;
  expect(figures.summary()).toMatchObject({
    status: 'ok',
    started_at: '1970-01-01T00:00:01.000Z',
    uptime_seconds: 90,
    calls: 0,
    success_rate: null,
    methods: {},
    turns: {},
  });
});

test('a refusal is the caller’s, a failure inside is ours', () => {
  const figures = new ReliabilityFigures();
  const method = 'message/send';
  figures.methodEnded({ method, milliseconds: 10, code: undefined });
  figures.methodEnded({ method, milliseconds: 20, code: undefined });
  figures.methodEnded({ method, milliseconds: 30, code: 'DELX-A2A-1004' });
  expect(figures.summary()).toMatchObject({ status: 'ok', calls: 3, failed_calls: 0, success_rate: 1 });
  figures.methodEnded({ method, milliseconds: 40, code: 'DELX-A2A-1500' });
  expect(figures.summary()).toMatchObject({
    status: 'degraded',
    calls: 4,
    failed_calls: 1,
    success_rate: 0.75,
    methods: {
      'message/send': {
        calls: 4,
        refused: { 'DELX-A2A-1004': 1, 'DELX-A2A-1500': 1 },
        failed: 1,
        latency_ms: { p50: 20, p95: 40, p99: 40, sample: 4 },
      },
    },
  });
});

test('calls are told by method and outcome', () => {
  const figures = new ReliabilityFigures();
  const method = 'message/send';
  figures.methodEnded({ method, milliseconds: 1, code: undefined });
  figures.methodEnded({ method, milliseconds: 1, code: 'DELX-A2A-1004' });
  figures.methodEnded({ method, milliseconds: 1, code: undefined });
  expect(figures.calls()).toEqual([
    { method, outcome: 'OK', count: 2 },
    { method, outcome: 'DELX-A2A-1004', count: 1 },
  ]);
});

test('counts turns by how they ended, and commits', () => {
  const figures = new ReliabilityFigures();
  figures.observer.turnEnded?.({ state: 'TASK_STATE_COMPLETED', milliseconds: 5 });
  figures.observer.turnEnded?.({ state: 'TASK_STATE_INPUT_REQUIRED', milliseconds: 5 });
  figures.observer.turnEnded?.({ state: undefined, milliseconds: 5 });
  figures.observer.committed?.(3, 1);
  expect(figures.summary()).toMatchObject({
    status: 'ok',
    turns: { completed: 1, input_required: 1, message: 1 },
    store: { commits: 1, failed_commits: 0 },
  });
  figures.observer.commitFailed?.();
  expect(figures.summary()).toMatchObject({ status: 'degraded', store: { failed_commits: 1 } });
});
