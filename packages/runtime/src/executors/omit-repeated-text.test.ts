import { describe, expect, test } from 'vitest';
import { sendForTask, startTestOperations } from '../operations/testing/start-test-operations.ts';
import type { Executor } from './executor.ts';
import { omitRepeatedText } from './omit-repeated-text.ts';

/** What a client that shows status and artifacts shows. */
async function shownBy(execute: Executor['execute'], wrap = omitRepeatedText): Promise<string[]> {
  const { operations } = await startTestOperations(wrap({ execute }));
  const task = await sendForTask(operations, 'go');
  expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  const parts = [
    ...(task.status.message?.parts ?? []),
    ...(task.artifacts ?? []).flatMap((each) => each.parts),
  ];
  return parts.map(({ text = 'no text' }) => text);
}

describe('a text that is an artifact and the last message', () => {
  test('is sent twice as the agent wrote it', async () => {
    const shown = await shownBy(
      async (_, sink) => {
        await sink.artifact({ parts: 'Paris' });
        await sink.complete('Paris');
      },
      (executor) => executor,
    );
    expect(shown).toEqual(['Paris', 'Paris']);
  });

  test.each<[string, Executor['execute']]>([
    [
      'whole',
      async (_, sink) => {
        await sink.artifact({ parts: 'Paris' });
        await sink.complete('Paris\n');
      },
    ],
    [
      'in pieces, unawaited',
      async (_, sink) => {
        void sink.artifact({ artifactId: 'a', parts: 'Pa' });
        void sink.artifact({ artifactId: 'a', parts: 'ris', append: true });
        void sink.complete([{ text: 'Paris' }]);
      },
    ],
  ])('is sent once if it was written %s', async (_, execute) => {
    expect(await shownBy(execute)).toEqual(['Paris']);
  });

  test.each<[string, Executor['execute'], string[]]>([
    [
      'another text',
      async (_, sink) => {
        await sink.artifact({ parts: 'Paris' });
        await sink.complete('Found it.');
      },
      ['Found it.', 'Paris'],
    ],
    ['a text alone', (_, sink) => sink.complete('Paris'), ['Paris']],
    [
      'a text with a file',
      async (_, sink) => {
        await sink.artifact({ parts: 'Paris' });
        await sink.complete([{ text: 'Paris' }, { url: 'https://files.example/map.png' }]);
      },
      ['Paris', 'no text', 'Paris'],
    ],
  ])('%s stays', async (_, execute, shown) => {
    expect(await shownBy(execute)).toEqual(shown);
  });
});

test('the rest of the agent is unchanged, with its own `this`', async () => {
  class Agent implements Executor {
    readonly card = { name: 'A', description: 'B.' };
    readonly defaultContextId = 'home';
    readonly #released: string[] = [];
    execute = async () => {};
    release(taskId: string): void {
      this.#released.push(taskId);
    }
    get released(): readonly string[] {
      return this.#released;
    }
  }
  const agent = new Agent();
  const wrapped = omitRepeatedText(agent);
  wrapped.release?.('t');
  expect(agent.released).toEqual(['t']);
  expect(wrapped).toMatchObject({ card: agent.card, defaultContextId: 'home' });
  expect('resume' in wrapped).toBe(false);
});
