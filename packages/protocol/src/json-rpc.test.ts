import { describe, expect, it } from 'vitest';
import { A2AError } from './errors/a2a-error.ts';
import {
  decodeJsonRpcRequest,
  jsonRpcFailure,
  jsonRpcResult,
  readEnvelope,
  resolveMethod,
} from './json-rpc.ts';
import { OPERATIONS } from './operations.ts';

function request(changes: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 'r-1', method: 'GetTask', params: { id: 't-1' }, ...changes });
}

describe('a well-formed request', () => {
  it.each(['r-1', '', 0, -7, 9007199254740991, null])('keeps the ID %j', (id) => {
    expect(decodeJsonRpcRequest(request({ id }))).toEqual({
      id,
      operation: { operation: 'getTask', request: { id: 't-1' } },
    });
  });

  it('may have no ID: the response then has null', () => {
    expect(decodeJsonRpcRequest(request({ id: undefined }))).toMatchObject({
      id: null,
      operation: { operation: 'getTask' },
    });
  });

  it.each([undefined, null, {}])('needs no params if none are required: %j', (params) => {
    expect(decodeJsonRpcRequest(request({ method: 'GetExtendedAgentCard', params }))).toMatchObject({
      operation: { operation: 'getExtendedAgentCard', request: {} },
    });
  });
});

describe('a malformed request', () => {
  it.each([
    ['{"jsonrpc": "2.0"', 'PARSE_ERROR', null],
    ['', 'PARSE_ERROR', null],
    ['[]', 'INVALID_REQUEST', null],
    [`[${request({})}]`, 'INVALID_REQUEST', null],
    ['"GetTask"', 'INVALID_REQUEST', null],
    ['null', 'INVALID_REQUEST', null],
    [request({ jsonrpc: undefined }), 'INVALID_REQUEST', 'r-1'],
    [request({ jsonrpc: '1.0' }), 'INVALID_REQUEST', 'r-1'],
    [request({ id: { bad: 'type' } }), 'INVALID_REQUEST', null],
    [request({ id: 1.5 }), 'INVALID_REQUEST', null],
    [request({ id: true }), 'INVALID_REQUEST', null],
    ['{"jsonrpc":"2.0","id":12345678901234567890,"method":"GetTask"}', 'INVALID_REQUEST', null],
    [request({ method: undefined }), 'INVALID_REQUEST', 'r-1'],
    [request({ method: 7 }), 'INVALID_REQUEST', 'r-1'],
    [request({ params: [{ id: 't-1' }] }), 'INVALID_PARAMS', 'r-1'],
    [request({ params: 'not an object' }), 'INVALID_PARAMS', 'r-1'],
    [request({ params: {} }), 'INVALID_PARAMS', 'r-1'],
    [request({ params: undefined }), 'INVALID_PARAMS', 'r-1'],
    [request({ params: { '': 'unknown' } }), 'INVALID_PARAMS', 'r-1'],
    [request({ method: 'Nonsense' }), 'METHOD_NOT_FOUND', 'r-1'],
    [request({ method: 'constructor' }), 'METHOD_NOT_FOUND', 'r-1'],
  ])('%s is rejected as %s', (body, code, id) => {
    expect(decodeJsonRpcRequest(body)).toMatchObject({ id, error: { code } });
  });

  it('says that batches are not supported', () => {
    expect(readEnvelope('[]')).toMatchObject({
      error: { message: expect.stringContaining('does not support batches') },
    });
  });
});

describe('resolveMethod', () => {
  it.each(Object.entries(OPERATIONS))('finds %s in every version that has it', (operation, entry) => {
    expect(resolveMethod(entry.method, '1.0')).toBe(operation);
    if (entry.v03 !== undefined) expect(resolveMethod(entry.v03.method, '0.3')).toBe(operation);
  });

  it('says which header to send for a 0.3 method in 1.0', () => {
    expect(() => resolveMethod('message/send', '1.0')).toThrow('send the header A2A-Version: 0.3');
  });

  it('says which header to send for a 1.0 method in 0.3 or without a header', () => {
    expect(() => resolveMethod('SendMessage', '0.3')).toThrow('send the header A2A-Version: 1.0');
  });
});

describe('a response', () => {
  it('contains the unchanged bytes of its result', () => {
    const result = '{"b": 1.0,"a":"\\u00e9"}';
    expect(jsonRpcResult('r"1', result)).toBe(`{"jsonrpc":"2.0","id":"r\\"1","result":${result}}`);
  });

  it('contains the error', () => {
    expect(JSON.parse(jsonRpcFailure(null, new A2AError('TASK_NOT_FOUND', 'gone')))).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32001, message: 'gone' },
    });
  });
});
