import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Task } from '@holdword/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { spawnHoldword } from '../../test/support/spawn-holdword.ts';

const AGENT = join(import.meta.dirname, 'my-agent.ts');

test('the agent has fewer than thirty lines', async () => {
  expect((await readFile(AGENT, 'utf8')).trimEnd().split('\n').length).toBeLessThan(30);
});

test('it rolls dice, and asks when it does not understand', async () => {
  const holdword = await spawnHoldword(['--agent', AGENT, '--store', 'memory']);
  onTestFinished(() => holdword.kill());

  async function send(text: string, taskId?: string): Promise<Task> {
    const response = await fetch(`${holdword.target.restUrl}/message:send`, {
      method: 'POST',
      headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json' },
      body: JSON.stringify({
        message: { role: 'ROLE_USER', messageId: crypto.randomUUID(), parts: [{ text }], taskId },
      }),
    });
    const { task }: { task: Task } = JSON.parse(await response.text());
    return task;
  }

  const asked = await send('roll');
  expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  const rolled = await send('3d6 please', asked.id);
  expect(rolled.status.state).toBe('TASK_STATE_COMPLETED');
  const rolls = (rolled.artifacts?.[0]?.parts[0]?.text ?? '').trim().split(' ').map(Number);
  expect(rolls).toHaveLength(3);
  expect(rolls.every((value) => value >= 1 && value <= 6)).toBe(true);
  const sum = rolls.reduce((left, right) => left + right, 0);
  expect(rolled.status.message?.parts).toEqual([{ text: `${sum} in total` }]);
});
