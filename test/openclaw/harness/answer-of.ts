import type { Task } from '@holdword/protocol';

/** The text of the agent's answer, joined from its chunks. */
export function answerOf({ artifacts }: Task): string {
  const response = artifacts?.find(({ name }) => name === 'response');
  return (response?.parts ?? []).map(({ text }) => text ?? '').join('');
}
