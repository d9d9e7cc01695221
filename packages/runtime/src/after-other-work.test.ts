import { expect, it } from 'vitest';
import { afterOtherWork } from './after-other-work.ts';

it('lets one of many go on in each turn of the event loop', async () => {
  const done: string[] = [];
  const inSteps = async (name: string): Promise<void> => {
    for (let step = 0; step < 2; step += 1) {
      await afterOtherWork();
      done.push(name);
    }
  };
  const otherWork = new Promise<void>((resolve) => {
    let turns = 0;
    setImmediate(function turn() {
      done.push('other');
      turns += 1;
      if (turns < 6) setImmediate(turn);
      else resolve();
    });
  });
  await Promise.all([inSteps('a'), inSteps('b'), inSteps('c'), otherWork]);
  const between = done
    .join(' ')
    .split('other')
    .map((work) => work.trim().split(' ').filter(Boolean).length);
  expect(Math.max(...between)).toBe(1);
  expect(done.filter((name) => name !== 'other')).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
});
