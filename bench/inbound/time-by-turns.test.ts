import { expect, test } from 'vitest';
import type { Contender } from './contender.ts';
import { timeByTurns } from './time-by-turns.ts';

test('everybody has every conversation, by turns, and the first one does not count', async () => {
  const seen: string[] = [];
  const contender = (name: string, milliseconds: number): Contender => ({
    name,
    title: name,
    turn: async (contextId) => {
      seen.push(`${name} ${contextId}`);
      return milliseconds;
    },
  });
  const times = await timeByTurns([contender('a', 1), contender('b', 2)], {
    conversations: 1,
    turns: 2,
    restMilliseconds: 0,
  });
  expect(times).toEqual([
    [1, 1],
    [2, 2],
  ]);
  const expected = ['conversation-0', 'conversation-0', 'conversation-1', 'conversation-1'];
  expect(seen).toEqual(expected.flatMap((conversation) => [`a ${conversation}`, `b ${conversation}`]));
});
