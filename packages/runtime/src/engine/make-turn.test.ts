import { expect, test } from 'vitest';
import { TurnAbort } from './make-turn.ts';

test('a turn is aborted once, with the first reason', () => {
  const abort = new TurnAbort();
  const { signal } = abort;
  expect(signal.aborted).toBe(false);
  abort.abort('canceled');
  abort.abort('stopped');
  expect(signal.aborted).toBe(true);
  expect(signal.reason).toMatchObject({ name: 'TurnAborted', reason: 'canceled' });
  expect(abort.reason).toBe('canceled');
});
