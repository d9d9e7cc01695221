import { describe, expect, it } from 'vitest';
import { decodeOperation, type OperationName } from './operations.ts';

function decode(operation: OperationName, request: unknown): unknown {
  return decodeOperation(operation, request).request;
}

const parts = [{ text: 'hello' }];

describe('ProtoJSON in a request', () => {
  it('may have proto names, numbers of enums and numbers as strings', () => {
    const read = decode('sendMessage', {
      message: { message_id: 'm-1', context_id: 'c-1', role: 1, parts, reference_task_ids: ['t-0'] },
      configuration: {
        history_length: '2',
        return_immediately: true,
        accepted_output_modes: ['text/plain'],
        task_push_notification_config: { url: 'https://hooks.example', authentication: { scheme: 'Bearer' } },
      },
    });
    expect(read).toEqual({
      message: { messageId: 'm-1', contextId: 'c-1', role: 'ROLE_USER', parts, referenceTaskIds: ['t-0'] },
      configuration: {
        historyLength: 2,
        returnImmediately: true,
        acceptedOutputModes: ['text/plain'],
        taskPushNotificationConfig: { url: 'https://hooks.example', authentication: { scheme: 'Bearer' } },
      },
    });
  });

  it('may have proto names in parts, and keeps the names in content that is the client’s own', () => {
    const content = { snake_case: { role: 1, media_type: 'x' } };
    const request = {
      message: {
        messageId: 'm-1',
        role: 'ROLE_USER',
        parts: [{ url: 'https://files.example/a', media_type: 'text/plain' }, { data: content }],
        metadata: content,
      },
    };
    expect(decode('sendMessage', request)).toMatchObject({
      message: {
        parts: [{ url: 'https://files.example/a', mediaType: 'text/plain' }, { data: content }],
        metadata: content,
      },
    });
  });

  it('may have an enum that is unspecified, which is the same as omitting it', () => {
    expect(decode('listTasks', { status: 'TASK_STATE_UNSPECIFIED' })).toEqual({});
    expect(decode('listTasks', { status: 0 })).toEqual({});
    expect(decode('listTasks', { status: 8, page_size: 5 })).toEqual({
      status: 'TASK_STATE_AUTH_REQUIRED',
      pageSize: 5,
    });
  });

  it('may have both names of a field only with the same value', () => {
    expect(decode('getTask', { id: 't-1', historyLength: 2, history_length: 2 })).toEqual({
      id: 't-1',
      historyLength: 2,
    });
    expect(() => decode('getTask', { id: 't-1', historyLength: 2, history_length: 3 })).toThrow(
      'historyLength: expected one value, found "history_length" with a different one',
    );
  });

  it('is rejected if a name is nearly right', () => {
    expect(() => decode('getTask', { id: 't-1', historyLenght: 0 })).toThrow(
      'historyLenght: unknown field; did you mean historyLength?',
    );
    const message = { messageId: 'm-1', role: 'ROLE_USER', parts };
    expect(() => decode('sendMessage', { message, configuration: { return_immediatly: true } })).toThrow(
      'configuration.return_immediatly: unknown field; did you mean returnImmediately?',
    );
  });

  it('may have unknown fields of later versions, except where they would filter', () => {
    expect(decode('getTask', { id: 't-1', aLaterField: 1 })).toEqual({ id: 't-1' });
    expect(() => decode('listTasks', { state: 'TASK_STATE_WORKING' })).toThrow(
      'state: unknown field; the fields of this request are tenant, contextId, status',
    );
  });

  it('is rejected with the value that was sent if a number of an enum or a text is none', () => {
    expect(() => decode('listTasks', { status: 99 })).toThrow('status: expected');
    expect(() => decode('getTask', { id: 't-1', historyLength: 'two' })).toThrow('historyLength: expected');
  });
});
