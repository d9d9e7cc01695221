import { describe, expect, test } from 'vitest';
import { runBatch, substituteReferences, type BatchReferences } from './batch.ts';
import type { ToolOutcome } from './hub-tool.ts';

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

describe('references in the arguments of a call', () => {
  const references: BatchReferences = {
    sessionId: 'session-1',
    results: new Map([
      ['reflect', { answer: 'breathe', score: 7, next: { action: 'wait' }, session_id: 'session-2' }],
    ]),
  };

  test.each([
    ['$SESSION_ID', 'session-1'],
    ['${SESSION_ID}', 'session-1'],
    ['in $SESSION_ID, twice ${SESSION_ID}', 'in session-1, twice session-1'],
    ['$SESSION_IDENTITY', '$SESSION_IDENTITY'],
    ['$prev.reflect.answer', 'breathe'],
    ['$prev.reflect.score', 7],
    ['$prev.reflect.next', { action: 'wait' }],
    ['$prev.reflect.next.action', 'wait'],
    ['score $prev.reflect.score, then $prev.reflect.next', 'score 7, then {"action":"wait"}'],
    ['costs 5$', 'costs 5$'],
    [42, 42],
    [null, null],
  ])('%j becomes %j', (given, expected) => {
    expect(substituteReferences(given, references)).toEqual(expected);
  });

  test('substitutes in arrays and objects, but not in keys', () => {
    const given = { session_id: '$SESSION_ID', notes: ['$prev.reflect.answer', 1], $SESSION_ID: true };
    expect(substituteReferences(given, references)).toEqual({
      session_id: 'session-1',
      notes: ['breathe', 1],
      $SESSION_ID: true,
    });
  });

  test('references in results are not expanded', () => {
    const results = new Map([['reflect', { answer: 'say $SESSION_ID and $prev.reflect.answer' }]]);
    expect(substituteReferences('it: $prev.reflect.answer', { ...references, results })).toBe(
      'it: say $SESSION_ID and $prev.reflect.answer',
    );
  });

  test.each([
    [
      '$prev.other.answer',
      '$prev.other.answer has no value: no earlier call of other succeeded. Earlier results: reflect.',
    ],
    [
      '$prev.reflect.missing',
      '$prev.reflect.missing has no value: there is no field missing. Fields: answer, score, next, session_id.',
    ],
    [
      '$prev.reflect.answer.length',
      '$prev.reflect.answer.length has no value: there is no field length. Fields: none.',
    ],
    [
      '$prev.reflect.constructor',
      '$prev.reflect.constructor has no value: there is no field constructor. Fields: answer, score, next, session_id.',
    ],
  ])('%s cannot be resolved', (given, message) => {
    expect(() => substituteReferences(given, references)).toThrow(message);
  });

  test('$SESSION_ID cannot be resolved without a session', () => {
    expect(() => substituteReferences('$SESSION_ID', { sessionId: undefined, results: new Map() })).toThrow(
      '$SESSION_ID has no value: no session is known.',
    );
  });
});
