import { expect, test } from 'vitest';
import type { TimelineItem } from '../../../api/timeline.ts';
import { drawnBars, layOut, ticksOf } from './timeline-layout.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
const span = (
  first: number,
  last: number,
  from: number,
  to: number | null,
): Pick<TimelineItem, 'firstSequence' | 'lastSequence' | 'startedAt' | 'endedAt'> => ({
  firstSequence: first,
  lastSequence: last,
  startedAt: at(from),
  endedAt: to === null ? null : at(to),
});
const artifact = (first: number, from: number, to: number | null): TimelineItem => ({
  kind: 'artifact',
  ...span(first, first + 5, from, to),
  artifactId: `a${first}`,
  name: null,
  version: 1,
  chunks: 6,
  characters: 100,
  complete: true,
  late: false,
});
const state = (first: number, from: number, name: 'WORKING' | 'COMPLETED'): TimelineItem => ({
  kind: 'state',
  ...span(first, first, from, from),
  state: `TASK_STATE_${name}`,
  text: null,
});

const tool = (number: number, outcome: 'done' | 'failed'): TimelineItem => ({
  kind: 'tool',
  ...span(number, number, number, number),
  name: `tool ${number}`,
  callId: null,
  text: null,
  outcome,
});

test('bars that overlap are drawn below each other, others share a row', () => {
  const { lanes } = layOut([artifact(1, 0, 10), artifact(7, 5, 12), artifact(13, 20, 30)], 'time', 0, false);
  expect(lanes.map(({ name, rows, bars }) => [name, rows, bars.map(({ row }) => row)])).toEqual([
    ['Artifacts', 2, [0, 1, 0]],
  ]);
});

test('a state lasts until the next one', () => {
  const { lanes, from } = layOut([state(1, 0, 'WORKING'), state(5, 8, 'COMPLETED')], 'time', 0, false);
  expect(lanes[0]?.bars.map((bar) => [bar.from - from, bar.to - from])).toEqual([
    [0, 8000],
    [8000, 8000],
  ]);
});

test('what runs reaches to the present', () => {
  const now = Date.parse(at(60));
  const { lanes, to } = layOut([state(1, 0, 'WORKING'), artifact(2, 1, null)], 'time', now, true);
  expect(lanes.flatMap(({ bars }) => bars.map((bar) => bar.to))).toEqual([now, now]);
  expect(to).toBe(now);
});

test('by event, everything is as long as its events', () => {
  const { lanes, from, to } = layOut([artifact(3, 0, 0), artifact(9, 0, 0)], 'events', 0, false);
  expect([from, to]).toEqual([3, 15]);
  expect(lanes[0]?.bars.map((bar) => [bar.from, bar.to])).toEqual([
    [3, 9],
    [9, 15],
  ]);
});

test('nothing to draw is no error', () => {
  expect(layOut([], 'time', 0, false)).toEqual({ lanes: [], from: 0, to: 1 });
});

test('the labels of the axis are round and not too many', () => {
  expect(ticksOf(0, 60_000, 660, 'time')).toEqual([0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000]);
  expect(ticksOf(1, 9, 400, 'events')).toEqual([5]);
});

test('bars that are too near to tell apart are drawn as one, in the tone of what must not be missed', () => {
  const items = Array.from({ length: 10_000 }, (_, index) =>
    tool(index, index === 5_000 ? 'failed' : 'done'),
  );
  const { lanes, from, to } = layOut(items, 'time', 0, false);
  const [lane] = lanes;
  if (lane === undefined) throw new Error('There is no lane.');
  const scale = (width: number) => (value: number) => ((value - from) / (to - from)) * width;
  const drawn = drawnBars(lane, scale(800), [0, 800]);
  expect(drawn.length).toBeLessThan(1_000);
  expect(drawn.reduce((sum, { bars }) => sum + bars.length, 0)).toBe(10_000);
  expect(drawn.filter(({ tone }) => tone === 'red')).toHaveLength(1);
  // Nothing covers another in its row.
  for (const { right, room } of drawn) expect(right).toBeLessThanOrEqual(room + 5);
  // Near enough, each is a bar of its own; what is beside the screen is not drawn.
  const near = drawnBars(lane, scale(800_000), [0, 800]);
  expect(near.map(({ bars }) => bars.length)).toEqual(near.map(() => 1));
  expect(near.length).toBeLessThan(20);
});
