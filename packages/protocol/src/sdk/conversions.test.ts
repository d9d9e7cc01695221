import {
  ListTasksRequest,
  Message as SdkMessage,
  StreamResponse as SdkStreamResponse,
  Task as SdkTask,
  SendMessageRequest,
} from '@a2a-js/sdk';
import { describe, expect, it } from 'vitest';
import { buildAgentCard } from '../card/build-agent-card.ts';
import type { Message, StreamResponse, Task } from '../model.ts';
import {
  decodeSdkRequest,
  fromSdkStreamResponse,
  SDK_VALUES,
  toSdkListTasksResponse,
  toSdkMessage,
  toSdkStreamResponse,
  toSdkTask,
} from './conversions.ts';

const message: Message = {
  messageId: 'm-1',
  role: 'ROLE_AGENT',
  parts: [
    { text: '' },
    { raw: '+/8=', mediaType: 'application/octet-stream', filename: 'a.bin' },
    { url: 'https://a.example/b' },
    { data: null },
    { data: false },
    { data: { deep: [null, 1] }, metadata: { kept: null } },
  ],
};
const status = { state: 'TASK_STATE_WORKING', message, timestamp: '2026-01-31T12:00:00.123Z' } as const;
const artifact = { artifactId: 'a-1', name: 'n', parts: message.parts };
const task: Task = {
  id: 't-1',
  contextId: 'c-1',
  status,
  artifacts: [artifact],
  history: [message],
  metadata: { a: 1 },
};
const ids = { taskId: 't-1', contextId: 'c-1' };

describe('conversion to the SDK', () => {
  const events: StreamResponse[] = [
    { task },
    { message },
    { statusUpdate: { ...ids, status, metadata: { seq: 2 } } },
    { artifactUpdate: { ...ids, artifact, append: true, lastChunk: true } },
  ];

  it.each(events)('an event survives a round trip: %#', (event) => {
    const sdkEvent = toSdkStreamResponse(event);
    expect(SdkStreamResponse.toJSON(sdkEvent)).toEqual(event);
    expect(fromSdkStreamResponse(sdkEvent)).toEqual(event);
  });

  it('a task and a message survive a round trip', () => {
    expect(SdkTask.toJSON(toSdkTask(task))).toEqual(task);
    expect(SdkMessage.toJSON(toSdkMessage(message))).toEqual(message);
  });

  it('a page of tasks keeps all its numbers', () => {
    expect(toSdkListTasksResponse({ tasks: [task], nextPageToken: '', pageSize: 50, totalSize: 1 })).toEqual({
      tasks: [toSdkTask(task)],
      nextPageToken: '',
      pageSize: 50,
      totalSize: 1,
    });
  });

  it('a card keeps its security schemes and its disabled capabilities', () => {
    const card = buildAgentCard({
      name: 'a',
      description: 'b',
      endpoints: [],
      securitySchemes: { key: { apiKeySecurityScheme: { location: 'header', name: 'X' } } },
    });
    expect(SDK_VALUES.card.toSdk(card)).toMatchObject({
      capabilities: { streaming: true, pushNotifications: false },
      securitySchemes: { key: { scheme: { $case: 'apiKeySecurityScheme' } } },
    });
  });
});

describe('a request received by a transport of the SDK', () => {
  const plain = { ...message, parts: [{ text: 'hello' }] };

  it('is decoded', () => {
    const request = { ...SendMessageRequest.fromJSON({}), message: toSdkMessage(message) };
    expect(decodeSdkRequest('sendMessage', request)).toEqual({
      operation: 'sendMessage',
      request: { message },
    });
  });

  it('distinguishes a history length of zero from none', () => {
    const request = { tenant: '', id: 't-1' };
    expect(decodeSdkRequest('getTask', { ...request, historyLength: 0 }).request).toEqual({
      id: 't-1',
      historyLength: 0,
    });
    expect(decodeSdkRequest('getTask', request).request).toEqual({ id: 't-1' });
  });

  it('may omit the filters of a list', () => {
    expect(decodeSdkRequest('listTasks', ListTasksRequest.fromJSON({})).request).toEqual({});
    const configs = { tenant: '', taskId: 't-1', pageSize: 0, pageToken: '' };
    expect(decodeSdkRequest('listTaskPushNotificationConfigs', configs).request).toEqual({ taskId: 't-1' });
  });

  it.each([
    ['no role', SendMessageRequest.fromJSON({ message: { ...plain, role: undefined } }), 'message.role'],
    ['an unknown role', SendMessageRequest.fromJSON({ message: { ...plain, role: 'user' } }), 'message.role'],
    ['no parts', SendMessageRequest.fromJSON({ message: { ...plain, parts: [] } }), 'message.parts'],
    [
      'an empty part',
      SendMessageRequest.fromJSON({ message: { ...plain, parts: [{}] } }),
      'message.parts[0]',
    ],
    ['no message', SendMessageRequest.fromJSON({}), 'message'],
  ])('is rejected for %s', (_name, invalid, field) => {
    expect(() => decodeSdkRequest('sendMessage', invalid)).toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMS', fields: [expect.objectContaining({ field })] }),
    );
  });

  it('is rejected for a page size out of range', () => {
    expect(() => decodeSdkRequest('listTasks', ListTasksRequest.fromJSON({ pageSize: 0 }))).toThrow(
      expect.objectContaining({ fields: [expect.objectContaining({ field: 'pageSize' })] }),
    );
  });
});

it('an invalid event from the SDK is rejected', () => {
  expect(() => fromSdkStreamResponse(SdkStreamResponse.fromJSON({}))).toThrow();
});
