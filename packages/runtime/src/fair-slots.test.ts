import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FairShare, FairSlots, type Slot } from './fair-slots.ts';

describe('a fair share', () => {
  test('keeps a part for callers who hold little', () => {
    const share = new FairShare(100, 25);
    expect([share.reserved, share.little]).toEqual([25, 1]);
    expect(share.allows(74, 74)).toBe(true);
    expect(share.allows(75, 75)).toBe(false);
    expect(share.allows(75, 0)).toBe(true);
    expect(share.allows(99, 0)).toBe(true);
    expect(share.allows(100, 0)).toBe(false);
  });

  test('little is one percent of much', () => {
    expect(new FairShare(1_000, 25).little).toBe(10);
  });

  test('nothing can be kept of a single one, nor where nothing shall be', () => {
    expect(new FairShare(1, 25).reserved).toBe(0);
    expect(new FairShare(2, 25).reserved).toBe(1);
    expect(new FairShare(100, 0).allows(99, 99)).toBe(true);
  });
});

/** Work that has entered, as a model sees it. */
interface Work {
  readonly caller: string;
  readonly lane: string;
  readonly slot: Slot;
  runs: boolean;
  /** Of its entering. */
  readonly number: number;
}

const CALLERS = ['ann', 'bob', 'cid', 'dan'];

/** Enters, or releases something that runs or waits. */
const stepArbitrary = fc.oneof(
  { weight: 3, arbitrary: fc.record({ caller: fc.constantFrom(...CALLERS), lane: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ release: fc.nat(1_000) }) },
);

function byNumber(one: number, other: number): number {
  return one - other;
}

/** How many slots the caller had been given before, each time one was given. */
function rounds(order: readonly number[]): number[] {
  return order.map((caller, index) => order.slice(0, index).filter((one) => one === caller).length);
}

describe('fair slots', () => {
  test('never exceed a limit, leave no slot free that waiting work may use, and forget nobody', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(stepArbitrary, { maxLength: 120 }),
        fc.integer({ min: 1, max: 8 }),
        fc.constantFrom(0, 25, 50),
        fc.integer({ min: 1, max: 2 }),
        async (steps, total, reservedPercent, perLane) => {
          const slots = new FairSlots({ total, reservedPercent, perLane });
          const share = new FairShare(total, reservedPercent);
          const work = new Set<Work>();
          let number = 0;
          for (const step of steps) {
            if ('release' in step) {
              const one = [...work][step.release % Math.max(1, work.size)];
              if (one === undefined) continue;
              work.delete(one);
              one.slot.release();
            } else {
              const lane = `${step.caller} ${step.lane}`;
              const request = { caller: step.caller, lane };
              const isFree = slots.isFree(request);
              const slot = slots.enter(request);
              expect(slot.startsNow).toBe(isFree);
              const entered: Work = {
                caller: step.caller,
                lane,
                slot,
                runs: slot.startsNow,
                number: (number += 1),
              };
              work.add(entered);
              void slot.ready.then(() => (entered.runs = true));
            }
            await Promise.resolve();
            const all = [...work];
            const running = all.filter(({ runs }) => runs);
            expect([slots.running, slots.waiting]).toEqual([running.length, all.length - running.length]);
            expect(running.length).toBeLessThanOrEqual(total);
            for (const one of all) {
              const inLane = running.filter(({ lane }) => lane === one.lane);
              expect(inLane.length).toBeLessThanOrEqual(perLane);
              if (one.runs) continue;
              // What waits has a reason to: its lane is full, or its caller may not have one more.
              const own = running.filter(({ caller }) => caller === one.caller).length;
              expect(inLane.length >= perLane || !share.allows(running.length, own)).toBe(true);
              // And nothing has overtaken it in its lane.
              expect(inLane.every((other) => other.number < one.number)).toBe(true);
            }
          }
          for (const one of work) one.slot.release();
          expect([slots.running, slots.waiting, slots.callers.count]).toEqual([0, 0, 0]);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('nobody starves: while a caller waits for a slot, no other gets two more than it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 2, maxLength: 5 }),
        fc.integer({ min: 1, max: 4 }),
        async (amounts, total) => {
          const slots = new FairSlots({ total, reservedPercent: 0, perLane: 1 });
          const started: number[] = [];
          const running: Slot[] = [];
          amounts.forEach((amount, caller) => {
            for (let count = 0; count < amount; count += 1) {
              const slot = slots.enter({ caller: `${caller}`, lane: `${caller} ${count}` });
              if (slot.startsNow) running.push(slot);
              else void slot.ready.then(() => [started.push(caller), running.push(slot)]);
            }
          });
          const waiting = amounts.map((_, caller) => slots.of(`${caller}`).waiting);
          while (running.length > 0) {
            running.shift()?.release();
            await Promise.resolve();
          }
          // In each round every caller that still waits is given one slot.
          const expected: number[] = [];
          for (let round = 0; expected.length < started.length; round += 1)
            waiting.forEach((left, caller) => left > round && expected.push(caller));
          expect(started.toSorted(byNumber)).toEqual(expected.toSorted(byNumber));
          expect(rounds(started)).toEqual(rounds(expected));
        },
      ),
      { numRuns: 200 },
    );
  });

  test('a slot goes to the callers in turn, however much one of them waits for', async () => {
    const slots = new FairSlots({ total: 1, reservedPercent: 0, perLane: 1 });
    const order: string[] = [];
    const enter = (caller: string, count: number) => {
      const slot = slots.enter({ caller, lane: `${caller} ${count}` });
      void slot.ready.then(() => order.push(`${caller} ${count}`));
      return slot;
    };
    const all = [1, 2, 3].map((count) => enter('hog', count));
    all.push(enter('me', 1), enter('you', 1), enter('me', 2));
    for (let next = 0; next < all.length; next += 1) {
      await Promise.resolve();
      const name = order[next];
      const index = ['hog 1', 'hog 2', 'hog 3', 'me 1', 'you 1', 'me 2'].indexOf(name ?? '');
      all[index]?.release();
    }
    expect(order).toEqual(['hog 1', 'hog 2', 'me 1', 'you 1', 'hog 3', 'me 2']);
  });
});
