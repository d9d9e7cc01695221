import { expect, test } from 'vitest';
import { FrameSplitter } from './frame-splitter.ts';

const STREAM = Buffer.from('id: 1\ndata: {"text":"żółć 🂡"}\n\n: keep-alive\n\nid: 2\ndata: {}\n\n');
const FRAMES = [
  { sequence: 1, data: '{"text":"żółć 🂡"}' },
  { sequence: 2, data: '{}' },
];

test('returns the same frames wherever the bytes are split', () => {
  for (let index = 0; index <= STREAM.length; index += 1) {
    const splitter = new FrameSplitter();
    const frames = [...splitter.push(STREAM.subarray(0, index)), ...splitter.push(STREAM.subarray(index))];
    expect(frames).toEqual(FRAMES);
    expect(splitter.complete).toBe(true);
  }
});

test('ignores an incomplete frame', () => {
  const splitter = new FrameSplitter();
  expect(splitter.push(STREAM.subarray(0, -1))).toEqual([FRAMES[0]]);
  expect(splitter.complete).toBe(false);
});

test('rejects a frame without an ID', () => {
  expect(() => new FrameSplitter().push(Buffer.from('data: {}\n\n'))).toThrow('with an ID');
});
