import type { Task } from '@holdword/protocol';
import type { HoldwordProcess } from './holdword-process.ts';

/** The URL of a started server, once it has printed it. */
export async function urlOf(holdword: HoldwordProcess): Promise<string> {
  const [, url = ''] = await holdword.printed(/card +(http:\S+)\/\.well-known/);
  return url;
}

export function send(url: string, text: string, options: { key?: string; immediately?: boolean } = {}) {
  return fetch(`${url}/a2a/rest/message:send`, {
    method: 'POST',
    headers: {
      'A2A-Version': '1.0',
      'Content-Type': 'application/json',
      ...(options.key && { Authorization: `Bearer ${options.key}` }),
    },
    body: JSON.stringify({
      message: { role: 'ROLE_USER', messageId: 'm1', parts: [{ text }] },
      configuration: { returnImmediately: options.immediately ?? false },
    }),
  });
}

export async function taskOf(response: Response): Promise<Task> {
  const { task }: { task: Task } = JSON.parse(await response.text());
  return task;
}

export async function getTask(url: string, taskId: string): Promise<Task> {
  const response = await fetch(`${url}/a2a/rest/tasks/${taskId}`, { headers: { 'A2A-Version': '1.0' } });
  const task: Task = JSON.parse(await response.text());
  return task;
}
