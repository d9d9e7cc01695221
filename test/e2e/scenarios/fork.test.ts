import { FORK_EXTENSION, type Task } from '@holdword/protocol';
import { expect } from 'vitest';
import { allEvents, artifactTexts, say, sendForTask, textOf, unique } from '../conversation.ts';
import { expectError } from '../expect-error.ts';
import { scenarios } from '../scenarios.ts';

function fork(text: string, metadata: object) {
  return say(text, {}, { metadata: { [FORK_EXTENSION]: metadata } });
}

function said({ history = [] }: Task): string[] {
  return history.map(({ parts }) => textOf(parts));
}

scenarios('A fork', {}, ({ scenario }) => {
  scenario(
    { it: 'goes on from a question with another answer', covers: ['FORK-NEW-TASK', 'FORK-UNTOUCHED'] },
    async ({ driver }) => {
      const asked = await sendForTask(driver, say('artifact a x; ask Which?'));
      const ended = await sendForTask(driver, say('artifact b y; complete one', { taskId: asked.id }));
      const request = fork('artifact c z; complete two', { taskId: asked.id, at: 4 });
      const forked = await sendForTask(driver, request);
      expect(forked.id).not.toBe(ended.id);
      expect(artifactTexts(forked)).toEqual({ a: 'x', c: 'z' });
      expect(said(forked)).toEqual([
        'artifact a x; ask Which?',
        'Which?',
        'artifact c z; complete two',
        'two',
      ]);
      expect(await driver.get({ id: ended.id })).toEqual(ended);
    },
  );

  scenario({ it: 'is streamed like any task', covers: ['FORK-NEW-TASK'] }, async ({ driver }) => {
    const asked = await sendForTask(driver, say('ask Which?'));
    const events = await allEvents(driver.stream(fork('complete', { taskId: asked.id, at: 3 })));
    expect(events[0]).toMatchObject({ task: { history: { length: 3 } } });
    expect(events.at(-1)).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
  });

  scenario({ it: 'without a start waits for its user', covers: ['FORK-WAITS'] }, async ({ driver }) => {
    const asked = await sendForTask(driver, say('ask Which?'));
    const waiting = await sendForTask(driver, fork('-', { taskId: asked.id, at: 3, start: false }));
    expect(waiting.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(said(waiting)).toEqual(['ask Which?', 'Which?']);
    const done = await sendForTask(driver, say('complete', { taskId: waiting.id }));
    expect(done).toMatchObject({ id: waiting.id, status: { state: 'TASK_STATE_COMPLETED' } });
  });

  scenario({ it: 'is made once for one key', covers: ['FORK-ONCE'] }, async ({ driver }) => {
    const asked = await sendForTask(driver, say('ask Which?'));
    const headers = { 'idempotency-key': unique('key') };
    const request = fork('complete', { taskId: asked.id, at: 3 });
    const tasks = await Promise.all([1, 2, 3, 4].map(() => sendForTask(driver, request, { headers })));
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(1);
  });

  scenario(
    { it: 'is refused in the middle of a turn, with the reason', covers: ['FORK-AT-REST'] },
    async ({ driver }) => {
      const ended = await sendForTask(driver, say('artifact a x; complete'));
      const error = await expectError(
        driver,
        'INVALID_PARAMS',
        driver.send(fork('complete', { taskId: ended.id, at: 2 })),
      );
      expect(error.message).toContain('in the middle of a turn');
    },
  );
});
