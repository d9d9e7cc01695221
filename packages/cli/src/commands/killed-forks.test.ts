import { FORK_EXTENSION, type Task } from '@holdword/protocol';
import { expect, test } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import { getTask, urlOf } from '../testing/talk.ts';

const FORKS = 60;

async function post(url: string, body: object, key?: string): Promise<Task> {
  const response = await fetch(`${url}/a2a/rest/message:send`, {
    method: 'POST',
    headers: {
      'A2A-Version': '1.0',
      'Content-Type': 'application/json',
      ...(key !== undefined && { 'Idempotency-Key': key }),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  const { task } = (await response.json()) as { task: Task };
  return task;
}

function message(text: string, more: object = {}) {
  return { message: { messageId: text, role: 'ROLE_USER', parts: [{ text }], ...more } };
}

test(
  'a server that is killed while it forks has each fork whole or not at all',
  { timeout: 240_000 },
  async () => {
    const folder = await makeHoldwordFolder();
    const server = folder.serve();
    const url = await urlOf(server);
    const asked = await post(url, message('ask me'));
    const request = (index: number) => ({
      ...message(`Name ${index}`),
      metadata: { [FORK_EXTENSION]: { taskId: asked.id, at: 3, ...(index % 2 === 0 && { start: false }) } },
    });
    const forkAll = (at: string) =>
      Array.from({ length: FORKS }, (_, index) => post(at, request(index), `key-${index}`));
    const forking = forkAll(url);
    const settled = Promise.allSettled(forking);
    await Promise.any(forking);
    await server.kill();
    const answered = (await settled).flatMap((each) => (each.status === 'fulfilled' ? [each.value.id] : []));

    const again = await urlOf(folder.serve());
    const forked = await Promise.all(forkAll(again));
    expect(new Set(forked.map(({ id }) => id)).size).toBe(FORKS);
    expect(answered.every((id) => forked.some((task) => task.id === id))).toBe(true);
    for (const [index, { id }] of forked.entries()) {
      const task = await getTask(again, id);
      const said = (task.history ?? []).map(({ parts }) => parts[0]?.text);
      expect(said.slice(0, 2)).toEqual(['ask me', 'What is your name?']);
      expect(said[2]).toBe(index % 2 === 0 ? undefined : `Name ${index}`);
    }
    expect(await getTask(again, asked.id)).toEqual(asked);
  },
);
