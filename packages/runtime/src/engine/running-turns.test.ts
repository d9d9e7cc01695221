import { openMemoryStore } from '@holdword/store';
import { expect, test } from 'vitest';
import { journalOutline } from './testing/read-journal.ts';
import { beginTask, headerOf, startTestEngine } from './testing/start-test-engine.ts';

test('what an agent says after another process canceled its task is kept as late (J6)', async () => {
  const store = openMemoryStore();
  const runner = await startTestEngine(
    async (turn, sink) => {
      await sink.artifact({ artifactId: 'a', parts: 'half' });
      await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
      const said = [sink.artifact({ artifactId: 'a', parts: ' done', append: true }), sink.complete('All.')];
      await Promise.allSettled(said);
    },
    { store },
  );
  const other = await startTestEngine(async () => {}, { store });
  const taskId = await beginTask(runner, 'work');
  await expect.poll(() => journalOutline(store, taskId)).toHaveLength(3);
  await other.cancel(await headerOf(store, taskId));

  await expect
    .poll(() => journalOutline(store, taskId))
    .toEqual([
      'submitted',
      'working',
      'artifact a half',
      'canceled',
      'artifact late-a  done',
      expect.stringMatching(/^artifact late-\S+ All\.$/),
    ]);
  const ended = await other.reader.current(taskId);
  const late = { state: 'TASK_STATE_CANCELED', reason: 'the task had ended' };
  expect(ended?.task.artifacts?.slice(1).map(({ metadata }) => metadata?.['late'])).toEqual([late, late]);
  await expect.poll(() => store.acquireLease(taskId, 'anybody')).toBeDefined();
});
