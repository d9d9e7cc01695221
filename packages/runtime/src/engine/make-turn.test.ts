import { expect, test } from 'vitest';
import { TurnAbort } from './make-turn.ts';

test('fires a signal that was created before, with the first reason', () => {
  const abort = new TurnAbort();
  const { signal } = abort;
  expect(signal.aborted).toBe(false);
  abort.abort('canceled');
  abort.abort('stopped');
  expect(signal.reason).toMatchObject({ name: 'TurnAborted', reason: 'canceled' });
  expect(abort.reason).toBe('canceled');
});

test('returns an aborted signal to later callers', () => {
  const abort = new TurnAbort();
  abort.abort('lost');
  expect(abort.signal.aborted).toBe(true);
  expect(abort.signal).toBe(abort.signal);
});
