import { text } from './open-tool.ts';

/* What an agent of A2A 0.3 answers, always about the same task. */

export const SEND = { action: 'send', parts: text('hello') };

export function task(state: string, fields: object = {}): object {
  return { kind: 'task', id: 't-1', contextId: 'c-1', status: { state }, ...fields };
}

export function message(words: string): object {
  return { kind: 'message', messageId: 'm-1', role: 'agent', parts: text(words) };
}

export function update(state: string, words?: string): object {
  const status = { state, ...(words !== undefined && { message: message(words) }) };
  return { kind: 'status-update', taskId: 't-1', contextId: 'c-1', status, final: state !== 'working' };
}
