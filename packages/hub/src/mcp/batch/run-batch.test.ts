import { expect, test } from 'vitest';
import { runBatch, type ToolOutcome } from './run-batch.ts';

/** A tool that echoes its input, one that starts a session, and one that fails. */
async function call(name: string, input: Record<string, unknown>): Promise<ToolOutcome> {
  if (name === 'fail') return { ok: false, error: { message: 'It failed.' } };
  return { ok: true, result: name === 'begin' ? { session_id: 'new' } : { got: input } };
}

const options = { sessionId: undefined, continueOnError: true, call };

test('a later call can use an earlier result', async () => {
  const answer = await runBatch(
    [
      { name: 'echo', arguments: { text: 'first' } },
      { name: 'other', arguments: { text: '$prev.echo.got.text, again', session: '$SESSION_ID' } },
    ],
    { ...options, sessionId: 'known' },
  );
  expect(answer).toMatchObject({ succeeded: 2, failed: 0, session_id: 'known' });
  expect(answer.results[1]).toEqual({
    index: 1,
    name: 'other',
    ok: true,
    result: { got: { text: 'first, again', session: 'known' } },
  });
});

test('a session that a call starts is available to later calls', async () => {
  const calls = [
    { name: 'echo', arguments: { session: '$SESSION_ID' } },
    { name: 'begin', arguments: {} },
    { name: 'echo', arguments: { session: '$SESSION_ID' } },
  ];
  const answer = await runBatch(calls, options);
  expect(answer.results.map(({ ok }) => ok)).toEqual([false, true, true]);
  expect(answer.session_id).toBe('new');
});

test('continues after a failure, unless told to stop', async () => {
  const calls = ['echo', 'fail', 'echo'].map((name) => ({ name, arguments: {} }));
  expect(await runBatch(calls, options)).toMatchObject({ succeeded: 2, failed: 1 });
  const stopped = await runBatch(calls, { ...options, continueOnError: false });
  expect(stopped.results.map(({ name }) => name)).toEqual(['echo', 'fail']);
});
