import { describe, expect, it } from 'vitest';
import { StreamResponseCheck } from './stream-response-check.ts';

const frame = (event: object, id = ''): string =>
  `${id}data: ${JSON.stringify({ jsonrpc: '2.0', id: 'x', result: event })}\n\n`;
const task = frame({ task: { id: 't', status: { state: 'TASK_STATE_SUBMITTED' } } }, 'id: 1\n');
const working = frame({ statusUpdate: { status: { state: 'TASK_STATE_WORKING' } } });
const chunk = (number: number): string =>
  frame({ artifactUpdate: { artifact: { parts: [{ text: `${number}\n` }] } } });
const completed = frame({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });

function read(text: string, status = 200): StreamResponseCheck {
  const answer = new StreamResponseCheck(2);
  answer.body(Buffer.from(text));
  answer.end(status);
  return answer;
}

describe('StreamResponseCheck', () => {
  it('counts the events of a whole stream', () => {
    expect(read(task + working + chunk(1) + ': keep-alive\n\n' + chunk(2) + completed).events).toBe(5);
  });

  it('reads a stream that arrives byte by byte', () => {
    const answer = new StreamResponseCheck(2);
    for (const byte of Buffer.from(task + chunk(1) + chunk(2) + completed)) answer.body(Buffer.of(byte));
    answer.end(200);
    expect(answer.events).toBe(4);
  });

  it.each([
    ['a stream without its task', working + chunk(1) + chunk(2) + completed, 'starts with its task'],
    ['a missing chunk', task + chunk(1) + completed, 'Expected 2 chunks, received 1'],
    ['a repeated chunk', task + chunk(1) + chunk(1), 'Expected chunk 2'],
    ['chunks out of order', task + chunk(2), 'Expected chunk 1'],
    ['a missing end', task + chunk(1) + chunk(2), 'no completed task'],
    ['an event after the end', task + chunk(1) + chunk(2) + completed + completed, 'no event after'],
    ['half a frame', task + chunk(1) + chunk(2) + completed + 'data: {', 'left over'],
  ])('refuses %s', (_, text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  it('rejects a different status', () => {
    expect(() => read(task + chunk(1) + chunk(2) + completed, 500)).toThrow('received 500');
  });
});
