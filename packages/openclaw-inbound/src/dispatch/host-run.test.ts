import { expect, test } from 'vitest';
import type { HostTurn, HostTurnEnd } from '../host/host.ts';
import { finalReply } from '../testing/scripted-host.ts';
import { HostRun } from './host-run.ts';

/** A run on a passive host, and the dispatched turn. */
function startRun(): { run: HostRun; turn: HostTurn; end: () => void } {
  const ended = Promise.withResolvers<HostTurnEnd>();
  let turn: HostTurn | undefined;
  const run = new HostRun(
    {
      dispatch: (given) => {
        turn = given;
        return ended.promise;
      },
    },
    { text: 'hi' } as HostTurn,
  );
  if (turn === undefined) throw new Error('Expected the run to be dispatched.');
  return { run, turn, end: () => ended.resolve({ kind: 'ended' }) };
}

/** Whether the promise is settled once all pending work is done. */
async function isSettled(promise: Promise<void>): Promise<boolean> {
  return Promise.race([promise.then(() => true), new Promise<boolean>((r) => setImmediate(r, false))]);
}

test('the host can wait until the reader asks for the next event', async () => {
  const { run, turn, end } = startRun();
  turn.onEvent(finalReply('Hello'));
  const written = turn.written();
  expect(await run.next()).toEqual(finalReply('Hello'));
  expect(await isSettled(written)).toBe(false);
  const next = run.next();
  expect(await isSettled(written)).toBe(true);
  expect(await isSettled(turn.written())).toBe(true);

  turn.onEvent(finalReply('More'));
  const moreWritten = turn.written();
  expect(await next).toEqual(finalReply('More'));
  expect(await isSettled(moreWritten)).toBe(false);
  end();
  expect(await run.next()).toBeUndefined();
  expect(await isSettled(moreWritten)).toBe(true);
});

test('the host does not wait for a detached reader', async () => {
  const { run, turn } = startRun();
  turn.onEvent(finalReply('Hello'));
  await run.next();
  const written = turn.written();
  run.detach();
  expect(await isSettled(written)).toBe(true);
  turn.onEvent(finalReply('More'));
  expect(await isSettled(turn.written())).toBe(true);
  expect(await run.next()).toEqual(finalReply('More'));
});
