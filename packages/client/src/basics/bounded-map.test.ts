import { expect, test } from 'vitest';
import { BoundedMap } from './bounded-map.ts';

test('the least recently used entries are forgotten', () => {
  const map = new BoundedMap<string, number>({ entries: 2 });
  map.set('a', 1);
  map.set('b', 2);
  map.get('a');
  map.set('c', 3);
  expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([1, undefined, 3, 2]);
});

test('entries are limited by their weight, but the newest stays', () => {
  const map = new BoundedMap<string, string>({ entries: 10, weight: 5, weigh: (value) => value.length });
  map.set('a', 'xxx');
  map.set('b', 'xx');
  map.set('b', 'yy');
  expect(map.values()).toEqual(['xxx', 'yy']);
  map.set('c', 'zzzzzzzz');
  expect(map.values()).toEqual(['zzzzzzzz']);
  map.delete('c');
  map.set('d', 'xxxxx');
  expect(map.has('d')).toBe(true);
});
