import { decodeErrorInfo, decodeStatus } from '@a2a-js/sdk/errors/grpc';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { describe, expect, it } from 'vitest';
import { A2AError, ERROR_TABLE, errorCodeOfJsonRpc, isA2AError, type A2AErrorCode } from './a2a-error.ts';
import { ALLOWED_VERBS_METADATA, toHttpError, toJsonRpcError } from './encode-error.ts';
import { toGrpcStatus } from './grpc-status.ts';

const A2A = 'a2a-protocol.org';
const OWN = 'holdword';

/** Repeated on purpose: the table is a contract with callers, so a change must be made twice. */
const EXPECTED: [
  A2AErrorCode,
  jsonRpc: number,
  http: number,
  grpc: number,
  grpcName: string,
  domain: string,
][] = [
  ['TASK_NOT_FOUND', -32001, 404, 5, 'NOT_FOUND', A2A],
  ['TASK_NOT_CANCELABLE', -32002, 400, 9, 'FAILED_PRECONDITION', A2A],
  ['PUSH_NOTIFICATION_NOT_SUPPORTED', -32003, 400, 9, 'FAILED_PRECONDITION', A2A],
  ['UNSUPPORTED_OPERATION', -32004, 400, 9, 'FAILED_PRECONDITION', A2A],
  ['CONTENT_TYPE_NOT_SUPPORTED', -32005, 400, 3, 'INVALID_ARGUMENT', A2A],
  ['INVALID_AGENT_RESPONSE', -32006, 500, 13, 'INTERNAL', A2A],
  ['EXTENDED_AGENT_CARD_NOT_CONFIGURED', -32007, 400, 9, 'FAILED_PRECONDITION', A2A],
  ['EXTENSION_SUPPORT_REQUIRED', -32008, 400, 9, 'FAILED_PRECONDITION', A2A],
  ['VERSION_NOT_SUPPORTED', -32009, 400, 9, 'FAILED_PRECONDITION', A2A],
  ['TASK_GENERATION_MISMATCH', -32010, 409, 10, 'ABORTED', A2A],
  ['PARSE_ERROR', -32700, 400, 3, 'INVALID_ARGUMENT', A2A],
  ['INVALID_REQUEST', -32600, 400, 3, 'INVALID_ARGUMENT', A2A],
  ['METHOD_NOT_FOUND', -32601, 404, 12, 'UNIMPLEMENTED', A2A],
  ['INVALID_PARAMS', -32602, 400, 3, 'INVALID_ARGUMENT', A2A],
  ['INTERNAL', -32603, 500, 13, 'INTERNAL', A2A],
  ['UNAUTHENTICATED', -32090, 401, 16, 'UNAUTHENTICATED', OWN],
  ['PERMISSION_DENIED', -32091, 403, 7, 'PERMISSION_DENIED', OWN],
  ['IDEMPOTENCY_CONFLICT', -32092, 409, 6, 'ALREADY_EXISTS', OWN],
  ['RESOURCE_EXHAUSTED', -32093, 429, 8, 'RESOURCE_EXHAUSTED', OWN],
  ['REQUEST_TOO_LARGE', -32094, 413, 8, 'RESOURCE_EXHAUSTED', OWN],
  ['UNAVAILABLE', -32095, 503, 14, 'UNAVAILABLE', OWN],
];

it('covers the whole table', () => {
  expect(EXPECTED.map(([code]) => code).toSorted()).toEqual(Object.keys(ERROR_TABLE).toSorted());
});

describe.each(EXPECTED)('%s', (code, jsonRpc, http, grpc, grpcName, domain) => {
  const error = new A2AError(code, 'what happened', { metadata: { fact: 'value' } });
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: code,
    domain,
    metadata: { fact: 'value' },
  };

  it('has its JSON-RPC form', () => {
    expect(toJsonRpcError(error)).toEqual({ code: jsonRpc, message: 'what happened', data: [info] });
    expect(errorCodeOfJsonRpc(jsonRpc)).toBe(code);
  });

  it('has its HTTP form', () => {
    expect(toHttpError(error)).toEqual({
      status: http,
      headers: {},
      body: { error: { code: http, status: grpcName, message: 'what happened', details: [info] } },
    });
  });

  it('has its gRPC form', () => {
    const status = toGrpcStatus(error);
    expect(status).toMatchObject({ code: grpc, message: 'what happened' });
    const decoded = decodeStatus(Buffer.from(status.details));
    expect(decoded).toMatchObject({ code: grpc, message: 'what happened' });
    expect(decoded.details.map(({ typeUrl }) => typeUrl)).toEqual([info['@type']]);
    expect(decodeErrorInfo(decoded.details[0]?.value ?? Buffer.alloc(0))).toEqual({
      reason: code,
      domain,
      metadata: { fact: 'value' },
    });
  });
});

describe('invalid fields', () => {
  const fields = [{ field: 'message.role', description: 'expected ROLE_USER' }];
  const error = new A2AError('INVALID_PARAMS', 'no', { fields });
  const badRequest = { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: fields };

  it('are listed on JSON-RPC and HTTP', () => {
    expect(toJsonRpcError(error).data[1]).toEqual(badRequest);
    expect(toHttpError(error).body.error.details[1]).toEqual(badRequest);
  });

  it('are listed on gRPC', () => {
    const detail = decodeStatus(Buffer.from(toGrpcStatus(error).details)).details[1];
    expect(detail?.typeUrl).toBe(badRequest['@type']);
    expect(readStrings(detail?.value ?? new Uint8Array())).toEqual([['message.role', 'expected ROLE_USER']]);
  });
});

describe('a retry delay', () => {
  const error = new A2AError('RESOURCE_EXHAUSTED', 'full', { retryAfterSeconds: 1.5 });
  const retryInfo = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1.5s' };

  it('is sent over every binding', () => {
    expect(toJsonRpcError(error).data[1]).toEqual(retryInfo);
    expect(toHttpError(error)).toMatchObject({ headers: { 'retry-after': '2' } });
    const detail = decodeStatus(Buffer.from(toGrpcStatus(error).details)).details[1];
    expect(detail?.typeUrl).toBe(retryInfo['@type']);
    // Field 1, eight bytes long: seconds = 1, nanos = 500,000,000.
    expect([...(detail?.value ?? [])]).toEqual([10, 8, 8, 1, 16, 128, 202, 181, 238, 1]);
  });
});

it('responds with 405 and the allowed verbs when a path supports other verbs', () => {
  const error = new A2AError('METHOD_NOT_FOUND', 'no', {
    metadata: { [ALLOWED_VERBS_METADATA]: 'GET, POST' },
  });
  expect(toHttpError(error)).toMatchObject({
    status: 405,
    headers: { allow: 'GET, POST' },
    body: { error: { code: 405 } },
  });
});

describe('an unexpected error', () => {
  const secret = 'password=hunter2 at /home/somebody/agent.ts';

  it.each([
    new Error(secret),
    new TypeError(secret),
    secret,
    undefined,
    { message: secret, code: 'INTERNAL' },
  ])('leaks nothing: %#', (thrown) => {
    expect(toJsonRpcError(thrown).code).toBe(-32603);
    expect(toHttpError(thrown).status).toBe(500);
    expect(toGrpcStatus(thrown).code).toBe(13);
    const said = JSON.stringify([toJsonRpcError(thrown), toHttpError(thrown)]);
    const bytes = Buffer.from(toGrpcStatus(thrown).details).toString('latin1');
    expect(said + bytes).not.toContain('hunter2');
  });
});

describe('isA2AError', () => {
  it('recognizes an error of another copy of the class', () => {
    const copy = Object.assign(new Error('no'), { name: 'A2AError', code: 'TASK_NOT_FOUND' });
    expect(isA2AError(copy)).toBe(true);
  });

  it.each(['ECONNREFUSED', 'constructor', 7])('does not accept the code %j', (code) => {
    expect(isA2AError(Object.assign(new Error('no'), { name: 'A2AError', code }))).toBe(false);
  });
});

function readStrings(bytes: Uint8Array): string[][] {
  const reader = new BinaryReader(bytes);
  const pairs: string[][] = [];
  while (reader.pos < reader.len) {
    reader.uint32();
    const inner = new BinaryReader(reader.bytes());
    const pair: string[] = [];
    while (inner.pos < inner.len) {
      inner.uint32();
      pair.push(inner.string());
    }
    pairs.push(pair);
  }
  return pairs;
}
