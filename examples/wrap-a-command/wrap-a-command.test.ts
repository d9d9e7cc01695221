import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Task } from '@holdword/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { spawnHoldword } from '../../test/support/spawn-holdword.ts';

test('the command gets the message, and its output is the answer', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'holdword-example-'));
  const agent = join(import.meta.dirname, 'word-counter.ts');
  const holdword = await spawnHoldword(['--agent', agent, '--store', 'memory'], { cwd });
  onTestFinished(async () => {
    await holdword.kill();
    await rm(cwd, { recursive: true, force: true });
  });
  const response = await fetch(`${holdword.target.restUrl}/message:send`, {
    method: 'POST',
    headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json' },
    body: JSON.stringify({
      message: { role: 'ROLE_USER', messageId: 'm1', parts: [{ text: 'one two three' }] },
    }),
  });
  const { task }: { task: Task } = JSON.parse(await response.text());
  expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  expect(task.status.message?.parts[0]?.text?.trim()).toBe('3');
  expect(task.artifacts?.[0]?.parts).toEqual(task.status.message?.parts);
});
