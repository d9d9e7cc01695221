import { describe, expect, test } from 'vitest';
import { invalidFields } from '../decode-request.ts';
import { A2AError } from '../errors/a2a-error.ts';
import { taskStateSchema } from '../model.ts';
import { decodeOperation } from '../operations.ts';
import { coreErrorToV03, v03RestError } from './v03-errors.ts';
import { V03_JSON } from './v03-json.ts';
import { V03_PROTO_JSON } from './v03-proto-json.ts';

type Wire = Parameters<typeof coreErrorToV03>[1]['wire'];

const MESSAGE = { kind: 'message', messageId: 'm', role: 'user' };
const PROTO_MESSAGE = { messageId: 'm', role: 'ROLE_USER' };

/** The violations that a caller is told for a message that the schemas reject. */
function violationsOf(wire: Exclude<Wire, 'GRPC'>, given: Record<string, unknown>): string[] {
  const codec = wire === 'JSONRPC' ? V03_JSON : V03_PROTO_JSON;
  try {
    decodeOperation('sendMessage', codec.requests.send.toCore(given));
  } catch (error) {
    const { fields } = coreErrorToV03(error, { wire, operation: 'sendMessage', given }) as A2AError;
    return fields.map(({ field, description }) => `${field}: ${description}`);
  }
  return [];
}

describe('over JSON-RPC, the part', () => {
  test.each<[unknown, string[]]>([
    [{ kind: 'text', text: 'x' }, []],
    [{ kind: 'text', text: null }, ['message.parts[0].text: expected a string, found null']],
    [{ kind: 'text', text: 5 }, ['message.parts[0].text: expected a string, found 5']],
    [{ kind: 'text' }, ['message.parts[0].text: expected a string, found nothing']],
    [{ kind: 'data', data: { a: 1 } }, []],
    [{ kind: 'data' }, ['message.parts[0].data: expected an object, found nothing']],
    [
      { kind: 'data', data: {}, metadata: { data_part_compat: true } },
      ['message.parts[0].data.value: expected a value, found nothing'],
    ],
    [{ kind: 'data', data: {}, metadata: 5 }, []],
    [{ kind: 'file', file: { bytes: 'aGk=' } }, []],
    [{ kind: 'file', file: { uri: 'https://a.example', bytes: null } }, []],
    [{ kind: 'file', file: { bytes: '!' } }, ['message.parts[0].file.bytes: expected base64, found "!"']],
    [
      { kind: 'file', file: { uri: '' } },
      ['message.parts[0].file.uri: expected a non-empty string, found ""'],
    ],
    [
      { kind: 'file', file: { uri: 'x', mimeType: 5 } },
      ['message.parts[0].file.mimeType: expected a string, found 5'],
    ],
    [
      { kind: 'file', file: { uri: 'x', name: 5 } },
      ['message.parts[0].file.name: expected a string, found 5'],
    ],
    [
      { kind: 'file', file: { bytes: 'aGk=', uri: 'x' } },
      ['message.parts[0].file: expected exactly one of bytes and uri, found an object with bytes, uri'],
    ],
    [{ kind: 'file', file: 'x' }, ['message.parts[0].file: expected an object, found "x"']],
    [{ kind: 'video' }, ['message.parts[0].kind: expected kind text, file or data, found "video"']],
    [null, ['message.parts[0]: expected an object, found null']],
  ])('%j violates %j', (part, violations) => {
    expect(violationsOf('JSONRPC', { message: { ...MESSAGE, parts: [part] } })).toEqual(violations);
  });
});

describe('over REST, the part', () => {
  test.each<[unknown, string[]]>([
    [{ text: 'x' }, []],
    [{ file: { fileWithBytes: 'aGk=' } }, []],
    [{ data: { data: { a: 1 } } }, []],
    [{ data: { data: null } }, ['message.content[0].data.data: expected an object, found null']],
    [{ file: { fileWithBytes: '!' } }, ['message.content[0].file.fileWithBytes: expected base64, found "!"']],
    [
      { file: {} },
      [
        'message.content[0].file: expected exactly one of fileWithBytes and fileWithUri, found an empty object',
      ],
    ],
    [{}, ['message.content[0]: expected exactly one of text, file and data, found an empty object']],
  ])('%j violates %j', (part, violations) => {
    expect(violationsOf('HTTP+JSON', { message: { ...PROTO_MESSAGE, content: [part] } })).toEqual(violations);
  });
});

describe('a well-formed part that an agent does not accept', () => {
  const file = { kind: 'file', file: { bytes: 'aGk=', mimeType: 'text/plain', name: 'a.txt' } };
  const protoFile = { file: { fileWithBytes: 'aGk=', mimeType: 'text/plain' } };
  const given: Record<Wire, unknown> = {
    JSONRPC: { message: { ...MESSAGE, parts: [file] } },
    'HTTP+JSON': { message: { ...PROTO_MESSAGE, content: [protoFile] } },
    GRPC: undefined,
  };
  const field: Record<Wire, string> = {
    JSONRPC: 'message.parts[0]',
    'HTTP+JSON': 'message.content[0]',
    GRPC: 'message.content[0]',
  };

  test.each(['JSONRPC', 'HTTP+JSON', 'GRPC'] as const)('is not called malformed over %s', (wire) => {
    const description = 'expected a text or data part, found a file';
    const error = invalidFields([{ field: 'message.parts[0]', description }]);
    expect(coreErrorToV03(error, { wire, operation: 'sendMessage', given: given[wire] })).toMatchObject({
      code: 'INVALID_PARAMS',
      message: `Invalid parameters. ${field[wire]}: ${description}.`,
      fields: [{ field: field[wire], description }],
    });
  });

  test('keeps the message of an error that does not list fields', () => {
    const error = new A2AError('CONTENT_TYPE_NOT_SUPPORTED', 'The agent does not accept this content.', {
      fields: [{ field: 'message.parts[0]', description: 'expected one of text/plain, found image/png' }],
      metadata: { supported: 'text/plain' },
    });
    expect(
      coreErrorToV03(error, { wire: 'JSONRPC', operation: 'sendMessage', given: given.JSONRPC }),
    ).toMatchObject({
      code: 'CONTENT_TYPE_NOT_SUPPORTED',
      message: error.message,
      fields: [{ field: 'message.parts[0]', description: 'expected one of text/plain, found image/png' }],
      metadata: { supported: 'text/plain' },
    });
  });
});

test('a gRPC message without content is described in the fields of 0.3', () => {
  let thrown: unknown;
  try {
    decodeOperation('sendMessage', { message: { messageId: 'm', role: 'ROLE_USER', parts: [{}] } });
  } catch (error) {
    thrown = error;
  }
  expect(coreErrorToV03(thrown, { wire: 'GRPC', operation: 'sendMessage' })).toMatchObject({
    message: 'Invalid parameters. message.content[0]: expected exactly one of text, file and data.',
  });
});

const told = (wire: Wire, message: string): string => {
  const error = new A2AError('UNSUPPORTED_OPERATION', message, { retryAfterSeconds: 3 });
  const translated = coreErrorToV03(error, { wire, operation: 'getTask' }) as A2AError;
  expect(translated).toMatchObject({ code: 'UNSUPPORTED_OPERATION', retryAfterSeconds: 3 });
  return translated.message;
};

describe('the words of a message', () => {
  test.each(taskStateSchema.options)('name the state %s as 0.3 does', (state) => {
    expect(told('JSONRPC', `Task t has ended (${state}).`)).toMatch(/^Task t has ended \([a-z-]+\)\.$/);
  });

  test('are those of the binding', () => {
    expect(told('JSONRPC', 'It is TASK_STATE_CANCELED.')).toBe('It is canceled.');
    expect(told('HTTP+JSON', 'It is TASK_STATE_CANCELED.')).toBe('It is TASK_STATE_CANCELLED.');
    expect(told('GRPC', 'It is TASK_STATE_WORKING.')).toBe('It is TASK_STATE_WORKING.');
    expect(told('JSONRPC', 'Omit returnImmediately to wait.')).toBe('Set blocking to true to wait.');
  });
});

test('an error of another kind is left alone', () => {
  const error = new Error('inside');
  expect(coreErrorToV03(error, { wire: 'JSONRPC', operation: 'getTask' })).toBe(error);
});

test('an unknown role is shown', () => {
  expect(() =>
    V03_JSON.requests.send.toCore({ message: { ...MESSAGE, role: 'ROLE_USER', parts: [] } }),
  ).toThrow('message.role: expected "user" or "agent", found "ROLE_USER".');
});

test('an error over REST has the forms that official clients look for', () => {
  const body = v03RestError(new A2AError('TASK_NOT_FOUND', 'There is no task x.'));
  // JavaScript reads the code, Python the type, Go the error of 1.0. Java fails without a member error.
  expect(body).toMatchObject({
    type: 'TaskNotFoundError',
    code: -32001,
    message: 'There is no task x.',
    error: { code: 404, status: 'NOT_FOUND', details: [{ reason: 'TASK_NOT_FOUND' }] },
  });
});
