import { isA2AError } from '@holdword/protocol';
import { describe, expect, test } from 'vitest';
import { randomTicks } from './testing/random-ticks.ts';
import { TurnQueue, type TurnTicket } from './turn-queue.ts';

/** Records when each ticket's turn may run. */
function startsOf(tickets: Record<string, TurnTicket>): { started: string[]; settle: () => Promise<void> } {
  const started: string[] = [];
  for (const [name, ticket] of Object.entries(tickets)) void ticket.ready.then(() => started.push(name));
  return { started, settle: () => new Promise((resolve) => setImmediate(resolve)) };
}

describe('the queue of turns (J10)', () => {
  test('runs different contexts at the same time and one context in order', async () => {
    const queue = new TurnQueue({ reservedPercent: 0, maxRunning: 10, maxQueued: 10 });
    const tickets = {
      a1: queue.enter('a'),
      a2: queue.enter('a'),
      b1: queue.enter('b'),
      a3: queue.enter('a'),
    };
    const { started, settle } = startsOf(tickets);
    await settle();
    expect(started).toEqual(['a1', 'b1']);
    expect([queue.running, queue.queued]).toEqual([2, 2]);
    tickets.a1.release();
    await settle();
    expect(started).toEqual(['a1', 'b1', 'a2']);
    tickets.a2.release();
    await settle();
    expect(started).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  test('respects its limit and gives a free slot to the turn that has waited longest', async () => {
    const queue = new TurnQueue({ reservedPercent: 0, maxRunning: 2, maxQueued: 10 });
    const tickets = { a: queue.enter('a'), b: queue.enter('b'), c: queue.enter('c'), d: queue.enter('d') };
    const { started, settle } = startsOf(tickets);
    tickets.b.release();
    await settle();
    expect(started).toEqual(['a', 'b', 'c']);
    expect([queue.running, queue.queued]).toEqual([2, 1]);
  });

  test('skips a waiting turn whose context is busy', async () => {
    const queue = new TurnQueue({ reservedPercent: 0, maxRunning: 2, maxQueued: 10 });
    const tickets = {
      a1: queue.enter('a'),
      b1: queue.enter('b'),
      a2: queue.enter('a'),
      c1: queue.enter('c'),
    };
    const { started, settle } = startsOf(tickets);
    tickets.b1.release();
    await settle();
    expect(started).toEqual(['a1', 'b1', 'c1']);
  });

  test('rejects turns beyond its length, with a time to retry, but not those accepted before', () => {
    const queue = new TurnQueue({ reservedPercent: 0, maxRunning: 1, maxQueued: 1 });
    queue.enter('a');
    queue.enter('b');
    expect(() => queue.enter('c')).toThrow(
      expect.objectContaining({ code: 'RESOURCE_EXHAUSTED', retryAfterSeconds: 1 }),
    );
    try {
      queue.enter('c');
    } catch (error) {
      expect(isA2AError(error)).toBe(true);
    }
    expect(queue.enter('c', { alreadyAccepted: true }).startsNow).toBe(false);
    expect([queue.running, queue.queued]).toEqual([1, 2]);
  });

  test('lets a waiting turn leave, and a ticket be released twice', async () => {
    const queue = new TurnQueue({ reservedPercent: 0, maxRunning: 1, maxQueued: 5 });
    const first = queue.enter('a');
    const second = queue.enter('b');
    const third = queue.enter('c');
    second.release();
    second.release();
    await second.ready;
    expect([queue.running, queue.queued]).toEqual([1, 1]);
    first.release();
    first.release();
    await third.ready;
    expect([queue.running, queue.queued]).toEqual([1, 0]);
    third.release();
    expect([queue.running, queue.queued]).toEqual([0, 0]);
    expect(queue.enter('a').startsNow).toBe(true);
  });

  test('never runs two turns of a context, nor more than its limit, whatever the order of entering and leaving', async () => {
    const queue = new TurnQueue({ reservedPercent: 0, maxRunning: 4, maxQueued: 1_000 });
    const running = new Set<string>();
    let ran = 0;
    const turn = async (context: string): Promise<void> => {
      const ticket = queue.enter(context);
      await ticket.ready;
      expect(running.has(context)).toBe(false);
      running.add(context);
      expect(running.size).toBeLessThanOrEqual(4);
      await randomTicks(4);
      running.delete(context);
      ran += 1;
      ticket.release();
    };
    await Promise.all(Array.from({ length: 300 }, () => turn(`context-${Math.floor(Math.random() * 8)}`)));
    expect(ran).toBe(300);
    expect([queue.running, queue.queued]).toEqual([0, 0]);
  });
});

describe('turns of several callers', () => {
  test('one who fills slots and queue with long turns keeps nobody else out', async () => {
    const queue = new TurnQueue({ maxRunning: 8, maxQueued: 40, reservedPercent: 25 });
    const enter = (caller: string, count: number) => queue.enter(`${caller} ${count}`, { caller });
    for (let count = 0; count < 6 + 30; count += 1) enter('hog', count);
    expect([queue.running, queue.queued]).toEqual([6, 30]);
    expect(() => enter('hog', 99)).toThrow(
      expect.objectContaining({
        code: 'RESOURCE_EXHAUSTED',
        retryAfterSeconds: 1,
        metadata: { limit: 'queuedTurns', limitScope: 'caller' },
        message: expect.stringContaining('6 of your turns are running and 30 are queued'),
      }),
    );
    const first = enter('me', 1);
    expect(first.startsNow).toBe(true);
    const second = enter('me', 2);
    expect(second.startsNow).toBe(false);
    first.release();
    await second.ready;
    expect(queue.callers).toEqual({ count: 2, mostRunning: 6, mostWaiting: 30 });
  });

  test('one with few in a small queue is not blamed for what another has taken', () => {
    const queue = new TurnQueue({ maxRunning: 1, maxQueued: 3, reservedPercent: 25 });
    for (let count = 0; count < 2; count += 1) queue.enter(`hog ${count}`, { caller: 'hog' });
    queue.enter('me 1', { caller: 'me' });
    expect(() => queue.enter('me 2', { caller: 'me' })).toThrow(
      expect.objectContaining({
        metadata: { limit: 'queuedTurns', limitScope: 'server' },
        message: expect.stringMatching(
          /^The queue is nearly full: 2 of 3 places are taken, 1 of them by you/,
        ),
      }),
    );
  });

  test('one without a name, as on a machine without credentials, may use everything', () => {
    const queue = new TurnQueue({ maxRunning: 4, maxQueued: 4, reservedPercent: 25 });
    for (let count = 0; count < 8; count += 1) queue.enter(`context ${count}`);
    expect([queue.running, queue.queued]).toEqual([4, 4]);
    expect(() => queue.enter('one more')).toThrow(
      expect.objectContaining({ metadata: { limit: 'queuedTurns', limitScope: 'server' } }),
    );
  });
});

describe('turns of one group', () => {
  const group = { name: 'guest', maxRunning: 2 };

  test('run only in the slots of their group, and leave the others free', async () => {
    const queue = new TurnQueue({ reservedPercent: 0, maxRunning: 4, maxQueued: 100 });
    const tickets = {
      a: queue.enter('a', { group }),
      b: queue.enter('b', { group }),
      c: queue.enter('c', { group }),
      other: queue.enter('other'),
    };
    const { started, settle } = startsOf(tickets);
    await settle();
    expect(started).toEqual(['a', 'b', 'other']);
    tickets.other.release();
    await settle();
    expect(started).toEqual(['a', 'b', 'other']);
    tickets.a.release();
    await settle();
    expect(started).toEqual(['a', 'b', 'other', 'c']);
  });

  test('are rejected when too many of them wait, and others are not', () => {
    const queue = new TurnQueue({ reservedPercent: 0, maxRunning: 100, maxQueued: 100 });
    const tickets = Array.from({ length: 22 }, (_, count) => queue.enter(`context ${count}`, { group }));
    expect([queue.running, queue.queued]).toEqual([2, 20]);
    expect(() => queue.enter('one more', { group })).toThrow(
      /this caller may run 2 at a time, and 20 more are queued/,
    );
    expect(queue.enter('accepted before', { group, alreadyAccepted: true }).startsNow).toBe(false);
    expect(queue.enter('of another', { group: { name: 'friend', maxRunning: 1 } }).startsNow).toBe(true);
    // One that ran, whose slot the next one takes, and one that waited.
    for (const ticket of [tickets[0], tickets[21]]) ticket?.release();
    expect(queue.enter('later', { group }).startsNow).toBe(false);
    expect(() => queue.enter('one more', { group })).toThrow(/this caller may run 2 at a time/);
  });
});
