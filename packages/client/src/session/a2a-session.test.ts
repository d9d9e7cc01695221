import { expect, test } from 'vitest';
import { A2AAgents } from '../agents/a2a-agents.ts';
import { A2ASession, messageParts } from './a2a-session.ts';
import type { SendMessageOptions } from './session-options.ts';

test('a text becomes one part', () => {
  expect(messageParts('hello')).toEqual([{ text: 'hello' }]);
});

test('accepts parts of 1.0 and 0.3', () => {
  expect(
    messageParts([
      { text: 'a' },
      { kind: 'text', text: 'b' },
      { kind: 'data', data: [1] },
      { kind: 'file', file: { bytes: 'aGk', name: 'a.txt', mimeType: 'text/plain' } },
      { url: 'https://a.example/b', mediaType: 'image/png' },
    ]),
  ).toEqual([
    { text: 'a' },
    { text: 'b' },
    { data: [1] },
    { raw: 'aGk=', filename: 'a.txt', mediaType: 'text/plain' },
    { url: 'https://a.example/b', mediaType: 'image/png' },
  ]);
});

test.each([
  [[], 'expected an array of at least 1 element'],
  [[{ kind: 'file', file: { bytes: 'not base64!' } } as const], '[0].raw: expected base64'],
  [[{}], '[0]: expected exactly one of text, raw, url and data'],
])('%j is rejected before anything is sent', (parts, message) => {
  expect(() => messageParts(parts)).toThrow(
    expect.objectContaining({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining(message) as string,
    }),
  );
});

/** As a program in JavaScript may call it. */
function sendAnything(message: unknown, options: unknown = {}): Promise<unknown> {
  const session = new A2ASession(new A2AAgents({ demo: { url: 'http://127.0.0.1:1' } }));
  return session.sendMessage('demo', message as string, options as SendMessageOptions);
}

test.each([
  [
    42,
    undefined,
    "The message must be a text or an array of parts, found 42. Send 'hello', or [{ text: 'hello' }].",
  ],
  [undefined, undefined, 'The message must be a text or an array of parts, found nothing.'],
  ['hello', { timeout: '5' }, 'timeout: expected a number of seconds above 0, found "5".'],
  ['hello', { timeout: 0 }, 'timeout: expected a number of seconds above 0, found 0.'],
  ['hello', { timeout: -1 }, 'timeout: expected a number of seconds above 0, found -1.'],
])('a message %j with %j is rejected with what is expected', async (message, options, expected) => {
  await expect(sendAnything(message, options)).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    message: expect.stringContaining(expected) as string,
  });
});

test.each(['getTask', 'cancelTask'] as const)('%s without a task is rejected', async (name) => {
  const session = new A2ASession(new A2AAgents({ demo: { url: 'http://127.0.0.1:1' } }));
  const call = session[name].bind(session) as (agentId: string) => Promise<unknown>;
  await expect(call('demo')).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    message: expect.stringContaining('taskId: expected the id of a task, found nothing.') as string,
  });
});
