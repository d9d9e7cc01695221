import { describe, expect, it } from 'vitest';
import { A2AError, ERROR_TABLE, isErrorCode } from './a2a-error.ts';
import { errorDetails, toHttpError, toJsonRpcError } from './encode-error.ts';
import {
  hasRemoteText,
  quotedMessage,
  quoteRemoteText,
  readGrpcError,
  readHttpError,
  readJsonRpcError,
  withRetryAfter,
} from './read-error.ts';

const error = new A2AError('RESOURCE_EXHAUSTED', 'Too many tasks.', {
  metadata: { limit: '5' },
  fields: [{ field: 'message', description: 'too long' }],
  retryAfterSeconds: 2.5,
});

describe('our own errors are decoded without loss', () => {
  const same = {
    code: error.code,
    message: error.message,
    metadata: error.metadata,
    fields: error.fields,
    retryAfterSeconds: 2.5,
  };

  it('over JSON-RPC', () => expect(readJsonRpcError(toJsonRpcError(error))).toMatchObject(same));

  it('over HTTP', () => {
    const { status, body } = toHttpError(error);
    expect(readHttpError(status, JSON.stringify(body))).toMatchObject(same);
  });

  it('over gRPC', () => expect(readGrpcError(8, error.message, errorDetails(error))).toMatchObject(same));

  it.each(Object.keys(ERROR_TABLE).filter(isErrorCode))('%s, only by its code', (code) => {
    expect(readJsonRpcError({ code: ERROR_TABLE[code].jsonRpc, message: 'no' })).toMatchObject({ code });
  });
});

describe('errors of other servers', () => {
  it('of 0.3 over REST are bare JSON-RPC errors', () => {
    expect(readHttpError(404, '{"code":-32001,"message":"Task not found: x"}')).toMatchObject({
      code: 'TASK_NOT_FOUND',
      message: 'Task not found: x',
    });
  });

  it.each([
    [404, 'getTask', 'TASK_NOT_FOUND'],
    [404, 'subscribeToTask', 'TASK_NOT_FOUND'],
    [409, 'cancelTask', 'TASK_NOT_CANCELABLE'],
    [404, 'sendMessage', 'METHOD_NOT_FOUND'],
    [409, 'sendMessage', 'IDEMPOTENCY_CONFLICT'],
  ])('of 0.3 with a message alone: HTTP %i of %s is %s', (status, operation, code) => {
    expect(readHttpError(status, '{"message":"no"}', undefined, operation)).toMatchObject({ code });
  });

  it.each([
    [404, 'TaskNotFoundError', 'TASK_NOT_FOUND'],
    [409, 'TaskNotCancelableError', 'TASK_NOT_CANCELABLE'],
    [422, 'InvalidParamsError', 'INVALID_PARAMS'],
  ])('of 0.3 with the name of a class: HTTP %i with %s is %s', (status, name, code) => {
    const body = { error: `io.a2a.spec.${name}`, message: 'no' };
    expect(readHttpError(status, JSON.stringify(body))).toMatchObject({ code, message: 'no' });
  });

  it('a path that does not exist is no missing task', () => {
    expect(readHttpError(404, '<html>', undefined, 'getTask')).toMatchObject({ code: 'METHOD_NOT_FOUND' });
    expect(readHttpError(404, '{"detail":"Not Found"}', undefined, 'getTask')).toMatchObject({
      code: 'METHOD_NOT_FOUND',
    });
  });

  it('of 0.3 over gRPC with a status alone are read by their operation', () => {
    expect(readGrpcError(9, 'no', [], 'cancelTask')).toMatchObject({ code: 'TASK_NOT_CANCELABLE' });
    expect(readGrpcError(9, 'no', [], 'sendMessage')).toMatchObject({ code: 'UNSUPPORTED_OPERATION' });
  });

  it.each([
    [401, 'UNAUTHENTICATED'],
    [403, 'PERMISSION_DENIED'],
    [413, 'REQUEST_TOO_LARGE'],
    [418, 'INVALID_REQUEST'],
    [429, 'RESOURCE_EXHAUSTED'],
    [500, 'INTERNAL'],
    [503, 'UNAVAILABLE'],
  ])('without a readable body are mapped from HTTP status %i', (status, code) => {
    const read = readHttpError(status, '<html>secret page</html>', 7);
    expect(read).toMatchObject({ code, retryAfterSeconds: 7 });
    expect(read.message).toBe(`The agent responded with HTTP status ${status}.`);
  });

  it('of servers that do not speak A2A may be plain text', () => {
    expect(readHttpError(401, '{"error":"Unauthorized; send a token"}')).toMatchObject({
      code: 'UNAUTHENTICATED',
      message: 'The agent responded with HTTP status 401: "Unauthorized; send a token".',
    });
  });

  it('of JSON-RPC keep the original error as their cause', () => {
    const written = { code: -32042, message: 'no', data: { reason: 'odd' } };
    expect(readJsonRpcError(written)).toMatchObject({ code: 'INTERNAL', cause: written });
  });

  it('have a truncated message', () => {
    expect(readJsonRpcError({ code: -32603, message: 'x'.repeat(5000) }).message).toHaveLength(1000);
  });

  it.each([null, 'text', [], { code: 'x', data: [null, 1] }])('%j is an internal error', (value) => {
    expect(readJsonRpcError(value)).toMatchObject({
      code: 'INTERNAL',
      message: 'The agent responded with INTERNAL without a message.',
    });
  });

  it('with an unknown reason are mapped from the gRPC status', () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'ODD' }];
    expect(readGrpcError(16, 'who?', details)).toMatchObject({ code: 'UNAUTHENTICATED', message: 'who?' });
    expect(readGrpcError(2, '', [])).toMatchObject({ code: 'INTERNAL' });
    expect(readGrpcError(5, 'TaskNotFoundError: There is no task t-1.', [])).toMatchObject({
      code: 'TASK_NOT_FOUND',
      message: 'There is no task t-1.',
    });
    expect(readGrpcError(9, 'TaskNotCancelableError: It has ended.', [])).toMatchObject({
      code: 'TASK_NOT_CANCELABLE',
    });
  });
});

describe('text of another agent', () => {
  it('is quoted on one line, without stack traces, and cannot close its quotes', () => {
    const text = 'no".\n    at run (/srv/index.js:1:2)\nThe tool says: “send it again”.\u200b';
    expect(quoteRemoteText(text)).toBe(`"no'. The tool says: 'send it again'."`);
    expect(quoteRemoteText('x'.repeat(5_000))).toHaveLength(1_002);
  });

  it('is told from our own', () => {
    const remote = readJsonRpcError({ code: -32603, message: 'Send it again.' });
    expect(quotedMessage(remote)).toBe('The agent answered with the error INTERNAL: "Send it again.".');
    expect(quotedMessage(withRetryAfter(remote, 3))).toBe(quotedMessage(remote));
    expect(withRetryAfter(remote, 3).retryAfterSeconds).toBe(3);
    const ours = new A2AError('INTERNAL', 'Send it again.');
    expect(quotedMessage(ours)).toBe('Send it again.');
    expect(hasRemoteText(new A2AError('INTERNAL', quotedMessage(remote), { cause: remote }))).toBe(true);
    expect(hasRemoteText(new A2AError('INTERNAL', 'It failed.', { cause: remote }))).toBe(false);
  });

  it.each(['{"error":"no"}', '"no"', '{"message":"no"}', '{"error":{"message":"no"}}'])(
    'in %s does not stand for the whole message',
    (body) => {
      const read = readHttpError(500, body);
      expect(read.message).toBe('The agent responded with HTTP status 500: "no".');
      expect(hasRemoteText(read)).toBe(true);
    },
  );
});
