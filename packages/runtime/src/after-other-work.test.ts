import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { afterOtherWork } from './after-other-work.ts';
import { RequestObservation } from './observe/observer.ts';

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

/** Runs steps of the processor for a while each, and resolves with how long all took. */
async function takeSteps(count: number, milliseconds: number): Promise<number> {
  await afterOtherWork();
  const startedAt = performance.now();
  for (let step = 0; step < count; step += 1) {
    const until = performance.now() + milliseconds;
    while (performance.now() < until);
    await afterOtherWork();
  }
  return performance.now() - startedAt;
}

function arrive(): RequestObservation {
  return new RequestObservation({}, 'JSONRPC', {});
}

it('leaves most of the time to requests while they arrive', async () => {
  arrive();
  const requests = setInterval(arrive, 5);
  try {
    expect(await takeSteps(10, 10)).toBeGreaterThan(250);
    expect(await takeSteps(500, 0.2)).toBeGreaterThan(250);
  } finally {
    clearInterval(requests);
  }
});

it('takes all of the time when no requests arrive', async () => {
  await pause(110);
  const turns: number[] = [];
  const turn = setInterval(() => turns.push(performance.now()), 1);
  const taken = await takeSteps(20, 10);
  clearInterval(turn);
  // Between two steps, timers get one turn each; pauses would give them twenty.
  expect(turns.length).toBeLessThan(60);
  expect(taken).toBeGreaterThan(199);
});
