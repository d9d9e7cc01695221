import { expect, test } from 'vitest';
import type { Contender } from './contender.ts';
import { timeByTurns } from './time-by-turns.ts';

/** Two turns of a conversation that a and b have. */
function inBothOrders(conversation: string): string[] {
  return ['a', 'b', 'b', 'a'].map((each) => `${each} ${conversation}`);
}

test('everybody has every conversation, by turns in both orders, and the warm-up does not count', async () => {
  const seen: string[] = [];
  const contender = (name: string, milliseconds: number): Contender => ({
    name,
    title: name,
    turn: async (contextId) => {
      seen.push(`${name} ${contextId}`);
      return milliseconds;
    },
  });
  const plan = { warmUpTurns: 1, conversations: 2, turns: 2, restMilliseconds: 0 };
  expect(await timeByTurns([contender('a', 1), contender('b', 2)], plan)).toEqual([
    [1, 1, 1, 1],
    [2, 2, 2, 2],
  ]);
  expect(seen).toEqual([
    'a warm-up',
    'b warm-up',
    ...inBothOrders('conversation-1'),
    ...inBothOrders('conversation-2'),
  ]);
});
