import { expect, test } from 'vitest';
import { Random } from './random.ts';

function draw(random: Random): number[] {
  return Array.from({ length: 50 }, () => random.integer(3, 9));
}

test('the same seed makes the same choices, a different seed different ones', () => {
  expect(draw(new Random('a'))).toEqual(draw(new Random('a')));
  expect(draw(new Random('a'))).not.toEqual(draw(new Random('b')));
});

test('a fork does not affect its source', () => {
  const plain = new Random('a');
  const forked = new Random('a');
  draw(forked.fork('user'));
  expect(draw(forked)).toEqual(draw(plain));
});

test('integers stay within their bounds and reach both', () => {
  const drawn = new Set(draw(new Random('bounds')));
  expect([Math.min(...drawn), Math.max(...drawn)]).toEqual([3, 9]);
});
