import { expect, test } from 'vitest';
import { addBeat, expectedCadence, missingAfterSeconds } from './expected-cadence.ts';

const SECOND = 1_000;

function beatsEvery(...seconds: number[]): readonly number[] {
  let at = 0;
  return seconds.reduce((beats, each) => addBeat(beats, (at += each * SECOND)), addBeat([], 0));
}

test.each([
  ['a steady rhythm', [30, 30, 30], 30],
  ['a rhythm with jitter', [28, 33, 30, 31, 29], 31],
  ['a rhythm and the outage that interrupted it', [30, 30, 30, 30, 900, 30, 30, 30], 30],
  ['a rhythm that became slower', [10, 10, 10, 10, 10, 10, 60, 60, 60], 60],
  ['a rhythm that became faster', [60, 60, 60, 10, 10, 10, 10, 10, 10, 10], 10],
  ['bundles that repeat each heartbeat', [1, 59, 1, 59, 1, 59, 1, 59], 60],
  ['beats faster than the hub looks', Array.from({ length: 60 }, () => 0.5), 5],
])('learns %s', (_, intervals, seconds) => {
  expect(expectedCadence({ beats: beatsEvery(...intervals), samples: [] }, {})).toEqual({
    seconds,
    source: 'learned',
  });
});

test('too few beats are no rhythm', () => {
  expect(expectedCadence({ beats: beatsEvery(30, 30), samples: [] }, {})).toEqual({
    seconds: 2_700,
    source: 'recommended',
  });
});

test('a declaration wins over the configuration, which wins over the rhythm', () => {
  const series = { beats: beatsEvery(30, 30, 30), samples: [] };
  expect(expectedCadence({ ...series, declaredSeconds: 20 }, { cadenceSeconds: 60 }).source).toBe('declared');
  expect(expectedCadence(series, { cadenceSeconds: 60 })).toEqual({ seconds: 60, source: 'configured' });
});

test('an agent is missing after two missed beats and the grace period', () => {
  expect(missingAfterSeconds({ seconds: 30, source: 'learned' }, { graceSeconds: 5 })).toBe(65);
  expect(missingAfterSeconds({ seconds: 2_700, source: 'recommended' }, { graceSeconds: 5 })).toBe(4_050);
});
