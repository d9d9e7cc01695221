import { text } from './open-tool.ts';

/* Responses of an A2A 0.3 agent, always about the same task. */

export const SEND = { action: 'send', parts: text('hello') };

export function task(state: string, fields: object = {}): object {
  return { kind: 'task', id: 't-1', contextId: 'c-1', status: { state }, ...fields };
}

export function message(content: string): object {
  return { kind: 'message', messageId: 'm-1', role: 'agent', parts: text(content) };
}

export function update(state: string, content?: string): object {
  const status = { state, ...(content !== undefined && { message: message(content) }) };
  return { kind: 'status-update', taskId: 't-1', contextId: 'c-1', status, final: state !== 'working' };
}
