import { demoAgent } from '@holdword/runtime/internal';
import { expect, onTestFinished, test } from 'vitest';
import { runExample } from '../../test/support/run-example.ts';
import { startAgent } from '../../test/support/start-agent.ts';

test('the task is polled until it ends; a failed task makes the program fail', async () => {
  const agent = await startAgent({ executor: demoAgent });
  onTestFinished(() => agent.close());
  const good = runExample('poll-a-task/poll-a-task.mjs', [agent.target.baseUrl, 'count to 3']);
  expect(await good.ended).toBe(0);
  expect(good.output()).toMatch(
    /^Task \S+ created, state: TASK_STATE_\w+\nEnded, state: TASK_STATE_COMPLETED\nResponse: Counted to 3\.\n$/,
  );
  const bad = runExample('poll-a-task/poll-a-task.mjs', [agent.target.baseUrl, 'fail']);
  expect(await bad.ended).toBe(1);
  expect(bad.output()).toContain('Ended, state: TASK_STATE_FAILED');
});
