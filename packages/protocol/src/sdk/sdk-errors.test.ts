import { grpcStatusFor } from '@a2a-js/sdk/errors/grpc';
import { LegacyA2AError } from '@a2a-js/sdk/compat/v0_3/server';
import { describe, expect, it } from 'vitest';
import { A2AError } from '../errors/a2a-error.ts';
import { ERROR_TABLE, isErrorCode } from '../errors/error-table.ts';
import { toGrpcStatus } from '../errors/grpc-status.ts';
import { toJsonRpcError } from '../errors/json-rpc-error.ts';
import {
  LegacyJsonRpcTransportHandler,
  LegacyRestTransportHandler,
  ServerCallContext,
  type A2ARequestHandler,
} from './index.ts';
import { fromSdkError, toSdkGrpcError, toSdkJsonError } from './sdk-errors.ts';

const CODES = Object.keys(ERROR_TABLE).filter(isErrorCode);

/** A handler that meets the same failure in all it does. */
function failingHandler(failure: Error): A2ARequestHandler {
  const fail = () => Promise.reject(failure);
  async function* failLater(): AsyncGenerator<never, void, undefined> {
    yield await fail();
  }
  return {
    getAgentCard: fail,
    getAuthenticatedExtendedAgentCard: fail,
    sendMessage: fail,
    sendMessageStream: failLater,
    getTask: fail,
    cancelTask: fail,
    createTaskPushNotificationConfig: fail,
    getTaskPushNotificationConfig: fail,
    listTaskPushNotificationConfigs: fail,
    deleteTaskPushNotificationConfig: fail,
    resubscribe: failLater,
    listTasks: fail,
  };
}

describe.each(CODES)('%s', (code) => {
  const error = new A2AError(code, 'what happened', {
    metadata: { fact: 'value' },
    fields: [{ field: 'a', description: 'b' }],
  });

  it('passes whole through the JSON-RPC transport of 0.3', async () => {
    const transport = new LegacyJsonRpcTransportHandler(failingHandler(toSdkJsonError(error)));
    const request = { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 't-1' } };
    expect(await transport.handle(request, new ServerCallContext())).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: toJsonRpcError(error),
    });
  });

  it('passes whole through the REST transport of 0.3', async () => {
    const transport = new LegacyRestTransportHandler(failingHandler(toSdkJsonError(error)));
    const failure: unknown = await transport
      .getTask('t-1', new ServerCallContext())
      .catch((thrown: unknown) => thrown);
    expect(LegacyRestTransportHandler.mapToLegacyHTTPError(failure)).toEqual(toJsonRpcError(error));
  });

  it('has its status on gRPC', () => {
    const sdkError = toSdkGrpcError(error);
    expect(grpcStatusFor(sdkError)).toBe(toGrpcStatus(error).code);
    expect(sdkError).toMatchObject({ message: 'what happened', metadata: { fact: 'value' } });
  });

  it('is known again when it comes back', () => {
    expect(fromSdkError(toSdkJsonError(error)).code).toBe(code);
  });
});

describe('fromSdkError', () => {
  it('leaves our own errors alone', () => {
    const error = new A2AError('TASK_NOT_FOUND', 'gone');
    expect(fromSdkError(error)).toBe(error);
  });

  it.each([
    [LegacyA2AError.invalidParams('message is required'), 'INVALID_PARAMS'],
    [LegacyA2AError.methodNotFound('nonsense'), 'METHOD_NOT_FOUND'],
    [LegacyA2AError.parseError('no JSON'), 'PARSE_ERROR'],
    [LegacyA2AError.unsupportedOperation('x'), 'UNSUPPORTED_OPERATION'],
    [LegacyA2AError.taskNotFound('t-1'), 'TASK_NOT_FOUND'],
  ])("knows the SDK's own: %s", (sdkError, code) => {
    expect(fromSdkError(sdkError)).toMatchObject({ code, message: sdkError.message });
  });

  it.each([LegacyA2AError.internalError('a secret'), new TypeError('a secret'), 'a secret'])(
    'says nothing of a failure inside: %#',
    (thrown) => {
      expect(fromSdkError(thrown).code).toBe('INTERNAL');
      expect(fromSdkError(thrown).message).not.toContain('secret');
    },
  );
});
