import { expect, test } from 'vitest';
import { FrameSplitter } from './frame-splitter.ts';

const STREAM = Buffer.from('id: 1\ndata: {"text":"żółć 🂡"}\n\n: keep-alive\n\nid: 2\ndata: {}\n\n');
const FRAMES = [
  { sequence: 1, data: '{"text":"żółć 🂡"}' },
  { sequence: 2, data: '{}' },
];

test('gives the same frames wherever the bytes are divided', () => {
  for (let place = 0; place <= STREAM.length; place += 1) {
    const splitter = new FrameSplitter();
    const frames = [...splitter.push(STREAM.subarray(0, place)), ...splitter.push(STREAM.subarray(place))];
    expect(frames).toEqual(FRAMES);
    expect(splitter.complete).toBe(true);
  }
});

test('a frame that was cut off does not exist', () => {
  const splitter = new FrameSplitter();
  expect(splitter.push(STREAM.subarray(0, -1))).toEqual([FRAMES[0]]);
  expect(splitter.complete).toBe(false);
});

test('refuses a frame without an id', () => {
  expect(() => new FrameSplitter().push(Buffer.from('data: {}\n\n'))).toThrow('with an id');
});
