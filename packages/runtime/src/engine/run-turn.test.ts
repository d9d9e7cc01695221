import { isTerminal, type Part } from '@holdword/protocol';
import { openMemoryStore } from '@holdword/store';
import { describe, expect, test } from 'vitest';
import { RetryableError, TerminalError } from '../executors/executor-errors.ts';
import type { Executor, Turn } from '../executors/executor.ts';
import { TurnAbort } from './run-turn.ts';
import { journalOutline, readJournal } from './testing/read-journal.ts';
import {
  beginTask,
  headerOf,
  patient,
  startTestEngine,
  turnInput,
  type TestEngine,
} from './testing/start-test-engine.ts';

const SECRET = 'the password is hunter2';

async function runToEnd(engine: TestEngine, text = 'go'): Promise<string> {
  const taskId = await beginTask(engine, text);
  await engine.reader.settled(taskId, patient);
  return taskId;
}

describe('an executor that throws', () => {
  test('a TerminalError fails the task with its message', async () => {
    const engine = await startTestEngine(async () => {
      throw new TerminalError('There is no such city.');
    });
    const taskId = await runToEnd(engine);
    expect(await journalOutline(engine.store, taskId)).toEqual([
      'submitted',
      'working',
      'failed There is no such city.',
    ]);
  });

  test('an error of another copy of this package is recognized by its code', async () => {
    const engine = await startTestEngine(async () => {
      throw Object.assign(new Error('Known.'), { code: 'executor-terminal' });
    });
    expect((await journalOutline(engine.store, await runToEnd(engine))).at(-1)).toBe('failed Known.');
  });

  test.each([
    ['an Error', () => new Error(SECRET)],
    ['something else', () => SECRET],
    ['nothing', () => undefined],
  ])('an unknown %s goes to the log, not to the caller', async (_name, thrown) => {
    const engine = await startTestEngine(async () => {
      throw thrown();
    });
    const taskId = await runToEnd(engine);
    const journal = JSON.stringify(await readJournal(engine.store, taskId));
    expect(journal).toContain('TASK_STATE_FAILED');
    expect(journal).not.toContain('hunter2');
    expect(engine.logged.some((line) => line.includes('failed unexpectedly') && line.includes(taskId))).toBe(
      true,
    );
  });

  test('synchronously is handled the same way', async () => {
    const engine = await startTestEngine(() => {
      throw new TerminalError('At once.');
    });
    expect((await journalOutline(engine.store, await runToEnd(engine))).at(-1)).toBe('failed At once.');
  });

  test('fails the task also if it cannot be shown as text', async () => {
    const engine = await startTestEngine(() => {
      const thrown: unknown = {
        toString() {
          throw new Error('no text');
        },
      };
      throw thrown;
    });
    expect((await journalOutline(engine.store, await runToEnd(engine))).at(-1)).toMatch(
      /^failed The agent failed unexpectedly/,
    );
    expect(engine.logged.join()).toContain('a thrown object that cannot be shown as text');
  });

  test('fails the task also if it throws when it is looked at', async () => {
    const engine = await startTestEngine(() => {
      throw Object.defineProperty(new Error('hidden'), 'stack', {
        get() {
          throw new Error('no stack');
        },
      });
    });
    expect((await journalOutline(engine.store, await runToEnd(engine))).at(-1)).toMatch(
      /^failed The agent failed unexpectedly/,
    );
  });

  test('after the outcome keeps the outcome and is logged', async () => {
    const engine = await startTestEngine(async (_turn, sink) => {
      await sink.complete('done');
      throw new Error('after all');
    });
    const taskId = await runToEnd(engine);
    await expect.poll(() => engine.logged.some((line) => line.includes('after all'))).toBe(true);
    expect(await journalOutline(engine.store, taskId)).toEqual(['submitted', 'working', 'completed done']);
  });
});

describe('a RetryableError', () => {
  test('runs the turn again, with the number of the attempt, until it succeeds', async () => {
    const attempts: number[] = [];
    const engine = await startTestEngine(async (turn, sink) => {
      attempts.push(turn.attempt);
      if (turn.attempt < 3) throw new RetryableError(`try ${turn.attempt}`, { retryAfterMilliseconds: 1 });
      await sink.complete('worked');
    });
    const taskId = await runToEnd(engine);
    expect(attempts).toEqual([1, 2, 3]);
    expect(await journalOutline(engine.store, taskId)).toEqual([
      'submitted',
      'working',
      'working Retrying: try 1',
      'working Retrying: try 2',
      'completed worked',
    ]);
  });

  test('fails the task after the last attempt', async () => {
    let tries = 0;
    const engine = await startTestEngine(
      async () => {
        tries += 1;
        throw new RetryableError('No connection.', { retryAfterMilliseconds: 1 });
      },
      { maxAttempts: 2 },
    );
    const taskId = await runToEnd(engine);
    expect(tries).toBe(2);
    expect((await journalOutline(engine.store, taskId)).at(-1)).toBe('failed No connection.');
  });

  test('a canceled task is not retried, however long the pause', async () => {
    let tries = 0;
    const engine = await startTestEngine(async () => {
      tries += 1;
      throw new RetryableError('Busy.', { retryAfterMilliseconds: 600_000 });
    });
    const taskId = await beginTask(engine, 'go');
    await expect.poll(() => journalOutline(engine.store, taskId)).toContain('working Retrying: Busy.');
    await engine.cancel(await headerOf(engine.store, taskId));
    await expect.poll(() => engine.turns.activity).toEqual({ running: 0, queued: 0 });
    expect(tries).toBe(1);
  });
});

test('an executor receives the turn: message, task so far, request, owner and earlier messages of the context', async () => {
  const seen: Turn[] = [];
  const histories: unknown[] = [];
  const engine = await startTestEngine(async (turn, sink) => {
    seen.push(turn);
    for (const limit of [undefined, 1, 0]) {
      const earlier = await turn.contextHistory(limit);
      histories.push(earlier.map(({ parts }) => parts[0]?.text));
    }
    await sink.complete('bye');
  });
  const first = await beginTask(engine, 'one', { contextId: 'talk' });
  await engine.reader.settled(first, patient);
  const second = await beginTask(engine, 'two', { contextId: 'talk' });
  await engine.reader.settled(second, patient);
  expect(histories).toEqual([[], [], [], ['one', 'bye'], ['bye'], []]);
  expect(seen[1]).toMatchObject({
    taskId: second,
    contextId: 'talk',
    attempt: 1,
    mayAnswerDirectly: false,
    owner: { caller: 'me' },
    message: { parts: [{ text: 'two' }], taskId: second, contextId: 'talk' },
    task: { id: second, status: { state: 'TASK_STATE_WORKING' }, history: [{ parts: [{ text: 'two' }] }] },
  });
  expect(seen[1]?.task).not.toHaveProperty('metadata');
});

test('nothing that an executor throws reaches the process as an unhandled rejection', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', note);
  try {
    const engine = await startTestEngine(async (_turn, sink) => {
      void sink.artifact({ parts: [] });
      void sink.message('not allowed here');
      await sink.complete();
      void sink.status('x', { metadata: { big: 1n } });
    });
    await runToEnd(engine);
    await new Promise(setImmediate);
    expect(unhandled).toEqual([]);
  } finally {
    process.off('unhandledRejection', note);
  }
});

test('output that is not awaited is bounded, and fails the task when it is too much', async () => {
  const chunks = 1_000_000;
  const engine = await startTestEngine(async (_turn, sink) => {
    for (let index = 0; index < chunks; index += 1)
      void sink.artifact({ artifactId: 'a', append: index > 0, parts: 'x' }).catch(() => {});
    await sink.complete('done').catch(() => {});
  });
  const taskId = await runToEnd(engine);
  const { lastSequence, status } = await headerOf(engine.store, taskId);
  expect(status).toContain('more than 64 MiB that could not be stored yet, without waiting');
  expect(lastSequence).toBeGreaterThan(10_000);
  expect(lastSequence).toBeLessThan(chunks / 4);
  expect(engine.logged.filter((line) => line.includes('was not written'))).toHaveLength(1);
}, 60_000);

describe('output that is malformed', () => {
  const malformed = [{ foo: 1 }] as unknown as Part[];

  test.each<[string, Executor['execute'], RegExp]>([
    [
      'an artifact',
      async (_, sink) => void sink.artifact({ parts: malformed }),
      /^failed The agent returned a malformed part/,
    ],
    ['a note', async (_, sink) => void sink.status(malformed), /^failed The agent returned a malformed part/],
    ['a last word', async (_, sink) => void sink.complete([]), /^failed .* content without parts/],
    ['a plain message in a task', async (_, sink) => void sink.message('hello'), /^failed .* plain message/],
    [
      'what cannot be encoded',
      async (_, sink) => void sink.artifact({ parts: 'x', extensions: [1n as unknown as string] }),
      /^failed The output of the agent could not be written/,
    ],
  ])('%s that is not awaited fails the task and says why', async (_name, execute, reason) => {
    const engine = await startTestEngine(async (turn, sink) => {
      await execute(turn, sink);
      await sink.complete();
    });
    const outline = await journalOutline(engine.store, await runToEnd(engine));
    expect(outline.slice(2)).toEqual([expect.stringMatching(reason)]);
  });
});

describe('output that is too large', () => {
  const large = 'x'.repeat(2_000);

  test.each<[string, Executor['execute']]>([
    ['an artifact', async (_, sink) => void (await sink.artifact({ parts: large }))],
    [
      'an artifact that is not awaited',
      async (_, sink) => void sink.artifact({ parts: large }).catch(() => {}),
    ],
    ['a note', async (_, sink) => sink.status(large)],
    ['a last word', async (_, sink) => sink.complete(large)],
  ])('%s fails the task and says why', async (_name, execute) => {
    const engine = await startTestEngine(
      async (turn, sink) => {
        await execute(turn, sink);
        await sink.complete('done');
      },
      { maxEventBytes: 1_000 },
    );
    const outline = await journalOutline(engine.store, await runToEnd(engine));
    expect(outline[2]).toMatch(/^failed The agent wrote an event of \d+ bytes; at most 1000 are allowed/);
    expect(outline.join('\n')).not.toContain(large);
  });

  test("a caller's message is not measured again", async () => {
    const engine = await startTestEngine(async () => {}, { maxEventBytes: 1_000 });
    expect((await journalOutline(engine.store, await runToEnd(engine, large))).at(-1)).toBe('completed');
  });
});

describe('a task that would exceed its size limit', () => {
  const chunk = 'x'.repeat(20_000);
  const execute: Executor['execute'] = async (_turn, sink) => {
    await sink.artifact({ parts: chunk });
    await sink.askInput('more?');
  };

  test.each([true, false])(
    'fails and says why, its readers see that, and what was written before is kept (awaited: %s)',
    async (awaited) => {
      const engine = await startTestEngine(
        async (_turn, sink) => {
          for (let index = 0; index < 100; index += 1) {
            const writing = sink.artifact({ artifactId: 'a', parts: chunk, append: index > 0 });
            if (awaited) await writing;
            else writing.catch(() => {});
          }
          await sink.complete('done');
        },
        { maxTaskBytes: 100_000 },
      );
      const taskId = await beginTask(engine, 'go');
      let last: string | undefined;
      for await (const frames of engine.reader.follow(taskId, 0, isTerminal, patient))
        last = frames.at(-1)?.json;
      expect(last).toContain('TASK_STATE_FAILED');
      expect(last).toContain('reached its size limit of 100000 bytes');
      expect(last).toContain('limits.taskBytes');
      const lines = await journalOutline(engine.store, taskId);
      expect(lines.filter((line) => /^artifact\+? a /.test(line))).toHaveLength(4);
      expect((await engine.reader.current(taskId))?.task.artifacts?.[0]?.parts).toEqual([
        { text: chunk.repeat(4) },
      ]);
    },
  );

  test('counts what was written in earlier turns and by earlier processes, and takes no long message', async () => {
    const options = { store: openMemoryStore(), maxTaskBytes: 100_000 };
    const first = await startTestEngine(execute, options);
    const { live } = await first.turns.begin(turnInput('go'));
    await first.reader.settled(live.taskId, patient);
    await first.stop(0);

    const engine = await startTestEngine(execute, options);
    const next = async (text: string): Promise<void> => {
      await engine.turns.continue(await headerOf(options.store, live.taskId), turnInput(text));
      await engine.reader.settled(live.taskId, patient);
    };
    await expect(next('x'.repeat(90_000))).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
      message: expect.stringContaining('without taskId') as string,
    });
    expect((await headerOf(options.store, live.taskId)).state).toBe('TASK_STATE_INPUT_REQUIRED');
    for (let turn = 2; turn <= 4; turn += 1) await next('more');
    expect((await headerOf(options.store, live.taskId)).state).toBe('TASK_STATE_INPUT_REQUIRED');
    await next('more');
    expect((await journalOutline(options.store, live.taskId)).at(-1)).toMatch(
      /^failed .* size limit of 100000/,
    );
  });

  test('can still be canceled', async () => {
    const engine = await startTestEngine(
      async (_turn, sink) => {
        await sink.artifact({ parts: 'x'.repeat(99_000) });
        await sink.askInput('more?');
      },
      { maxTaskBytes: 100_000 },
    );
    const taskId = await beginTask(engine, 'go');
    await engine.reader.settled(taskId, patient);
    expect((await engine.cancel(await headerOf(engine.store, taskId))).task.status.state).toBe(
      'TASK_STATE_CANCELED',
    );
  });
});

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
