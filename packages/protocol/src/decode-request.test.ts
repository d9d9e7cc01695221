import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { decodeRequest } from './decode-request.ts';
import { A2AError } from './errors/a2a-error.ts';
import { OPERATIONS, sendMessageRequestSchema, taskPushNotificationConfigSchema } from './operations.ts';

const part = { text: 'hello' };
const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [part] };

function refusal(schema: z.ZodType, value: unknown): A2AError {
  try {
    decodeRequest(schema, value);
  } catch (error) {
    if (error instanceof A2AError) return error;
    throw error;
  }
  throw new Error('expected a refusal, found acceptance');
}

function sendWith(changes: object): unknown {
  return { message: { ...message, ...changes } };
}

describe('a valid request', () => {
  it('is returned unchanged', () => {
    const request = {
      message: {
        ...message,
        parts: [part, { data: { deep: [null] } }, { raw: 'aGk=' }, { url: 'https://a.example' }],
      },
      configuration: { historyLength: 0, returnImmediately: true },
      metadata: { any: { thing: null } },
    };
    expect(decodeRequest(sendMessageRequestSchema, request)).toEqual(request);
  });

  it('loses unknown fields', () => {
    const request = sendWith({ kind: 'message', parts: [{ text: 'hello', kind: 'text' }] });
    expect(decodeRequest(sendMessageRequestSchema, request)).toEqual({ message });
  });

  it('may have null for a missing field', () => {
    const request = {
      tenant: null,
      message: {
        ...message,
        taskId: null,
        metadata: { kept: null },
        parts: [{ text: 'hello', raw: null, data: null }],
      },
      configuration: null,
    };
    expect(decodeRequest(sendMessageRequestSchema, request)).toEqual({
      message: { ...message, metadata: { kept: null } },
    });
  });

  it('keeps null as the content of a data part', () => {
    const request = sendWith({ parts: [{ data: null, metadata: null }] });
    expect(decodeRequest(sendMessageRequestSchema, request).message.parts).toEqual([{ data: null }]);
  });

  it('may have an empty string for a missing ID', () => {
    expect(decodeRequest(sendMessageRequestSchema, sendWith({ contextId: '', taskId: '' }))).toEqual({
      message,
    });
    expect(decodeRequest(OPERATIONS.listTasks.request, { contextId: '', pageToken: '' })).toEqual({});
  });

  it('gets its bytes in standard base64', () => {
    const request = sendWith({ parts: [{ raw: '-_8' }] });
    expect(decodeRequest(sendMessageRequestSchema, request).message.parts).toEqual([{ raw: '+/8=' }]);
  });

  it('may have a timestamp with any number of decimals', () => {
    for (const statusTimestampAfter of ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.123456Z']) {
      expect(decodeRequest(OPERATIONS.listTasks.request, { statusTimestampAfter })).toEqual({
        statusTimestampAfter,
      });
    }
  });
});

describe('an invalid request', () => {
  const cases: [name: string, schema: z.ZodType, value: unknown, field: string, description: string][] = [
    ['no message', sendMessageRequestSchema, {}, 'message', 'expected an object, found nothing'],
    [
      'no role',
      sendMessageRequestSchema,
      sendWith({ role: undefined }),
      'message.role',
      'expected one of ROLE_USER, ROLE_AGENT, found nothing',
    ],
    [
      'a 0.3 role',
      sendMessageRequestSchema,
      sendWith({ role: 'user' }),
      'message.role',
      'expected one of ROLE_USER, ROLE_AGENT, found "user"',
    ],
    [
      'no parts',
      sendMessageRequestSchema,
      sendWith({ parts: undefined }),
      'message.parts',
      'expected an array, found nothing',
    ],
    [
      'empty parts',
      sendMessageRequestSchema,
      sendWith({ parts: [] }),
      'message.parts',
      'expected an array of at least 1 element, found an empty array',
    ],
    [
      'no message id',
      sendMessageRequestSchema,
      sendWith({ messageId: undefined }),
      'message.messageId',
      'expected a string, found nothing',
    ],
    [
      'an empty message id',
      sendMessageRequestSchema,
      sendWith({ messageId: '' }),
      'message.messageId',
      'expected a non-empty string, found ""',
    ],
    [
      'a numeric message id',
      sendMessageRequestSchema,
      sendWith({ messageId: 7 }),
      'message.messageId',
      'expected a string, found 7',
    ],
    [
      'an empty part',
      sendMessageRequestSchema,
      sendWith({ parts: [{}] }),
      'message.parts[0]',
      'expected exactly one of text, raw, url and data, found an empty object',
    ],
    [
      'two contents',
      sendMessageRequestSchema,
      sendWith({ parts: [part, { text: 'a', url: 'b' }] }),
      'message.parts[1]',
      'expected exactly one of text, raw, url and data, found an object with text, url',
    ],
    [
      'no base64',
      sendMessageRequestSchema,
      sendWith({ parts: [{ raw: '%%' }] }),
      'message.parts[0].raw',
      'expected base64, found "%%"',
    ],
    [
      'metadata of another type',
      sendMessageRequestSchema,
      sendWith({ metadata: ['x'] }),
      'message.metadata',
      'expected an object, found an array',
    ],
    [
      'a negative history length',
      OPERATIONS.getTask.request,
      { id: 't', historyLength: -1 },
      'historyLength',
      'expected a number of at least 0, found -1',
    ],
    [
      'a fractional history length',
      OPERATIONS.getTask.request,
      { id: 't', historyLength: 1.5 },
      'historyLength',
      'expected an integer, found 1.5',
    ],
    ['no task id', OPERATIONS.getTask.request, { id: '' }, 'id', 'expected a non-empty string, found ""'],
    [
      'a page of nothing',
      OPERATIONS.listTasks.request,
      { pageSize: 0 },
      'pageSize',
      'expected a number of at least 1, found 0',
    ],
    [
      'a page too large',
      OPERATIONS.listTasks.request,
      { pageSize: 101 },
      'pageSize',
      'expected a number of at most 100, found 101',
    ],
    [
      'a timestamp that is none',
      OPERATIONS.listTasks.request,
      { statusTimestampAfter: 'soon' },
      'statusTimestampAfter',
      'expected a timestamp such as 2026-01-31T12:00:00.000Z, found "soon"',
    ],
    [
      'no webhook url',
      taskPushNotificationConfigSchema,
      { taskId: 't' },
      'url',
      'expected a string, found nothing',
    ],
    ['no request at all', OPERATIONS.getTask.request, 'task-1', '', 'expected an object, found "task-1"'],
  ];

  it.each(cases)('%s is rejected', (_name, schema, value, field, description) => {
    const error = refusal(schema, value);
    expect(error.code).toBe('INVALID_PARAMS');
    expect(error.fields).toEqual([{ field, description }]);
  });

  it('is validated after nulls were dropped', () => {
    const error = refusal(sendMessageRequestSchema, sendWith({ contextId: null, role: null }));
    expect(error.fields.map(({ field }) => field)).toEqual(['message.role']);
  });

  it('names a few fields in the message and all of them in the details', () => {
    const error = refusal(sendMessageRequestSchema, { message: { parts: [{}, {}] } });
    expect(error.fields).toHaveLength(4);
    expect(error.message).toMatch(/^Invalid parameters\. message\.messageId: .*; and 1 more\.$/);
  });

  it('is quoted only in part', () => {
    const error = refusal(sendMessageRequestSchema, sendWith({ role: 'x'.repeat(10_000) }));
    expect(error.message.length).toBeLessThan(300);
  });
});

describe('a request with an object crafted to break comparisons', () => {
  const length = { toString: 1, valueOf: 1 };
  it.each([
    ['a text', OPERATIONS.getTask.request, { id: { length } }],
    ['a list', sendMessageRequestSchema, sendWith({ parts: { length, size: length } })],
    [
      'a text that may be absent',
      sendMessageRequestSchema,
      sendWith({ parts: [{ url: { length }, text: null }] }),
    ],
  ])('instead of %s is rejected like any other', (_, schema, value) => {
    expect(refusal(schema, value)).toMatchObject({ code: 'INVALID_PARAMS' });
  });
});
