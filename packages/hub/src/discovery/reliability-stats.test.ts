import { describe, expect, test } from 'vitest';
import { RecentTimes, ReliabilityStats } from './reliability-stats.ts';

test('reports only the start time before the first call', () => {
  let now = 1_000;
  const stats = new ReliabilityStats(() => now);
  now += 90_500;
  expect(stats.summary()).toMatchObject({
    status: 'ok',
    started_at: '1970-01-01T00:00:01.000Z',
    uptime_seconds: 90,
    calls: 0,
    success_rate: null,
    methods: {},
    turns: {},
  });
});

test('counts only internal errors as failures', () => {
  const stats = new ReliabilityStats();
  const method = 'message/send';
  stats.methodEnded({ method, milliseconds: 10, code: undefined });
  stats.methodEnded({ method, milliseconds: 20, code: undefined });
  stats.methodEnded({ method, milliseconds: 30, code: 'DELX-A2A-1004' });
  expect(stats.summary()).toMatchObject({ status: 'ok', calls: 3, failed_calls: 0, success_rate: 1 });
  stats.methodEnded({ method, milliseconds: 40, code: 'DELX-A2A-1500' });
  expect(stats.summary()).toMatchObject({
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

test('counts calls by method and outcome', () => {
  const stats = new ReliabilityStats();
  const method = 'message/send';
  stats.methodEnded({ method, milliseconds: 1, code: undefined });
  stats.methodEnded({ method, milliseconds: 1, code: 'DELX-A2A-1004' });
  stats.methodEnded({ method, milliseconds: 1, code: undefined });
  expect(stats.calls()).toEqual([
    { method, outcome: 'OK', count: 2 },
    { method, outcome: 'DELX-A2A-1004', count: 1 },
  ]);
});

test('counts turns by final state, and commits', () => {
  const stats = new ReliabilityStats();
  stats.observer.turnEnded?.({ state: 'TASK_STATE_COMPLETED', milliseconds: 5 });
  stats.observer.turnEnded?.({ state: 'TASK_STATE_INPUT_REQUIRED', milliseconds: 5 });
  stats.observer.turnEnded?.({ state: undefined, milliseconds: 5 });
  stats.observer.committed?.(3, 1);
  expect(stats.summary()).toMatchObject({
    status: 'ok',
    turns: { completed: 1, input_required: 1, message: 1 },
    store: { commits: 1, failed_commits: 0 },
  });
  stats.observer.commitFailed?.();
  expect(stats.summary()).toMatchObject({ status: 'degraded', store: { failed_commits: 1 } });
});

describe('the newest durations', () => {
  test('computes percentiles of the newest durations', () => {
    const times = new RecentTimes(100);
    expect(times.percentiles([0.5])).toEqual([null]);
    for (let time = 1; time <= 250; time += 1) times.record(time);
    expect(times.count).toBe(100);
    expect(times.percentiles([0, 0.5, 0.95, 1])).toEqual([151, 200, 245, 250]);
  });

  test('a single duration is every percentile', () => {
    const times = new RecentTimes(4);
    times.record(7);
    expect(times.percentiles([0.5, 0.99])).toEqual([7, 7]);
  });
});
