import { expect, test } from 'vitest';
import type { Contender } from './contender.ts';
import { timeAlternately } from './time-alternately.ts';

/** Two turns of a conversation with a and b. */
function inBothOrders(conversation: string): string[] {
  return ['a', 'b', 'b', 'a'].map((each) => `${each} ${conversation}`);
}

test('runs every conversation with all contenders, alternating the order, without the warm-up', async () => {
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
  expect(await timeAlternately([contender('a', 1), contender('b', 2)], plan)).toEqual([
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
