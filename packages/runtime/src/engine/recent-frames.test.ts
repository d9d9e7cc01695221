import { expect, test } from 'vitest';
import { RecentFrames } from './recent-frames.ts';

function sequences(frames: readonly { sequence?: number }[] | undefined): (number | undefined)[] | undefined {
  return frames?.map(({ sequence }) => sequence);
}

test('returns the frames after a cursor', () => {
  const recent = new RecentFrames(7);
  for (const sequence of [8, 9, 10]) recent.add({ sequence, json: '{}' });
  expect(sequences(recent.after(7))).toEqual([8, 9, 10]);
  expect(sequences(recent.after(9))).toEqual([10]);
  expect(sequences(recent.after(10))).toEqual([]);
  expect(recent.after(6)).toBeUndefined();
});

test('drops the oldest frames by count and by size, and says so', () => {
  const many = new RecentFrames(0);
  for (let sequence = 1; sequence <= 5_000; sequence += 1) many.add({ sequence, json: '{}' });
  expect(many.after(0)).toBeUndefined();
  expect(many.after(5_000 - 1_500)).toBeUndefined();
  expect(sequences(many.after(4_998))).toEqual([4_999, 5_000]);

  const large = new RecentFrames(0);
  const json = 'x'.repeat(200 * 1_024);
  for (let sequence = 1; sequence <= 20; sequence += 1) large.add({ sequence, json });
  expect(large.after(16)).toBeUndefined();
  expect(sequences(large.after(19))).toEqual([20]);
});
