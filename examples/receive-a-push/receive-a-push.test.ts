import { expect, onTestFinished, test } from 'vitest';
import { runExample } from '../../test/support/run-example.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';

test('every state is received; a failed task makes the program fail', async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const cwd = folder.path;
  const good = runExample('receive-a-push/receive-a-push.mjs', ['exec:/bin/echo so: {prompt}', 'hi'], {
    cwd,
  });
  expect(await good.ended).toBe(0);
  expect(good.output()).toContain('TASK_STATE_SUBMITTED, TASK_STATE_WORKING, TASK_STATE_COMPLETED: so: hi\n');
  const bad = runExample('receive-a-push/receive-a-push.mjs', ['exec:/bin/false', 'hi'], { cwd });
  expect(await bad.ended).toBe(1);
  expect(bad.output()).toContain('AssertionError');
});
