import { expect, test } from 'vitest';
import {
  acknowledge,
  claim,
  holderOf,
  isLive,
  release,
  statusOf,
  use,
  withRejection,
  type ClaimOutcome,
  type Handoff,
  type TaskMoment,
} from './handoff.ts';

const OFFER: Handoff = {
  handoffId: 'h',
  taskId: 't',
  contextId: 'c',
  agentId: 'a',
  offeredBy: { kind: 'agent', id: 'a' },
  to: { kind: 'controller' },
  createdAt: 0,
  expiresAt: 1_000_000,
  leaseSeconds: 600,
  rejections: [],
  rejectionCount: 0,
};
const RESTING: TaskMoment = { isDone: false, isSuperseded: false, lastSequence: 9 };
const at = (now: number, task = RESTING) => ({ task, now });

function claimed(outcome: ClaimOutcome): { handoff: Handoff; lease: NonNullable<Handoff['lease']> } {
  if ('rejected' in outcome) throw new Error(`Expected a lease, found ${outcome.rejected}.`);
  return outcome;
}

test('one agent holds the lease until it expires, then another can claim it', () => {
  const { handoff } = claimed(claim(OFFER, 'b', 'hash b', at(1_000)));
  expect(claim(handoff, 'c', 'hash c', at(120_999))).toEqual({ rejected: 'taken', until: 121_000 });
  const next = claimed(claim(handoff, 'c', 'hash c', at(121_000)));
  expect(next.lease.agentId).toBe('c');
  expect(next.handoff.rejections).toMatchObject([{ agentId: 'b', kind: 'lease-lost' }]);
});

test('the holder can claim again, which invalidates the earlier token', () => {
  const { handoff } = claimed(claim(OFFER, 'b', 'first', at(1_000)));
  expect(claimed(claim(handoff, 'b', 'second', at(2_000))).handoff.lease?.tokenHash).toBe('second');
});

test('an acknowledgement starts the full lease', () => {
  const { handoff, lease } = claimed(claim(OFFER, 'b', 'hash', at(0)));
  const acknowledged = acknowledge(handoff, lease, at(100_000));
  expect(statusOf(acknowledged, RESTING, 699_999)).toBe('acknowledged');
  expect(statusOf(acknowledged, RESTING, 700_000)).toBe('offered');
});

test('a lease outlives the turn that its holder started, by its full duration', () => {
  const { handoff, lease } = claimed(claim(OFFER, 'b', 'hash', at(0)));
  const used = use(handoff, lease, at(1_000));
  expect(used.lease?.usedAfter).toBe(9);
  expect(holderOf(used, { ...RESTING, ownTurn: { inWork: true } }, 90_000_000)?.agentId).toBe('b');
  const ended = { ...RESTING, ownTurn: { inWork: false, endedAt: 5_000_000 } } as const;
  expect(holderOf(used, ended, 5_599_999)?.agentId).toBe('b');
  expect(holderOf(used, ended, 5_600_000)).toBeUndefined();
  expect(holderOf(used, RESTING, 90_000_000)).toBeUndefined();
});

test('a lease ends when the task is offered again', () => {
  const { handoff } = claimed(claim(OFFER, 'b', 'hash', at(0)));
  const superseded = { ...RESTING, isSuperseded: true };
  expect(holderOf(handoff, superseded, 1)).toBeUndefined();
  expect(claim(handoff, 'b', 'hash', at(1, superseded))).toEqual({ rejected: 'expired' });
});

test('a released task can be claimed, and the reason is recorded', () => {
  const { handoff, lease } = claimed(claim(OFFER, 'b', 'hash', at(0)));
  const free = release(handoff, lease, 'no access to the repository', 10);
  expect(statusOf(free, RESTING, 11)).toBe('offered');
  expect(free.rejections).toEqual([
    { agentId: 'b', at: 10, kind: 'released', reason: 'no access to the repository' },
  ]);
});

test.each([
  [{ closed: 'withdrawn' }, 'withdrawn'],
  [{ closed: 'declined' }, 'declined'],
  [{ expiresAt: 10 }, 'expired'],
] as const)('%j cannot be claimed', (change, rejected) => {
  const handoff = { ...OFFER, ...change };
  expect(claim(handoff, 'b', 'hash', at(10))).toEqual({ rejected });
  expect(isLive(handoff, RESTING, 10)).toBe(false);
});

test('rejections are counted, and the newest are kept', () => {
  let handoff = OFFER;
  for (let index = 0; index < 50; index += 1)
    handoff = withRejection(handoff, { agentId: `a${index}`, at: index, kind: 'late', reason: '' });
  expect(handoff.rejections).toHaveLength(20);
  expect(handoff.rejections.at(-1)?.agentId).toBe('a49');
  expect(handoff.rejectionCount).toBe(50);
});

test('a finished task can no longer be claimed', () => {
  const { handoff } = claimed(claim(OFFER, 'b', 'hash', at(0)));
  const done = { ...RESTING, isDone: true };
  expect(holderOf(handoff, done, 1)).toBeUndefined();
  expect(claim(handoff, 'c', 'hash', at(1, done))).toEqual({ rejected: 'finished' });
});
