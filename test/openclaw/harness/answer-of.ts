import type { Task } from '@holdword/protocol';

/** The text that the agent answered with; what was streamed piece by piece is one text. */
export function answerOf({ artifacts }: Task): string {
  const response = artifacts?.find(({ name }) => name === 'response');
  return (response?.parts ?? []).map(({ text }) => text ?? '').join('');
}
