import { LegacyA2AService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import { describe, expect, it } from 'vitest';
import { buildAgentCard } from '../card/build-agent-card.ts';
import { A2AError } from '../errors/a2a-error.ts';
import { errorDetails } from '../errors/encode-error.ts';
import { toGrpcStatus } from '../errors/grpc-status.ts';
import type { JsonObject } from '../basics/json.ts';
import type { Message } from '../model.ts';
import { decodeOperation, OPERATION_NAMES, type OperationName } from '../operations.ts';
import { toSdkStreamResponse } from './conversions.ts';
import { errorDetailsOfTrailer } from './grpc-error-details.ts';
import { grpcProcedure } from './grpc.ts';

const message: Message = {
  messageId: 'm-1',
  contextId: 'c-1',
  role: 'ROLE_USER',
  parts: [
    { text: '' },
    { raw: '+/8=', mediaType: 'application/octet-stream', filename: 'a.bin' },
    { url: 'https://a.example/b', filename: 'ü.txt' },
    { data: { deep: [null, 1] } },
  ],
};

const canceled = { state: 'TASK_STATE_CANCELED', message, timestamp: '2026-01-31T12:00:00.123Z' } as const;
const artifact = { artifactId: 'a', name: 'n', parts: message.parts };
const task = {
  id: 't-1',
  contextId: 'c-1',
  status: canceled,
  artifacts: [artifact],
  history: [message],
  metadata: { role: 1 },
};
const config = {
  taskId: 't-1',
  id: 'p-1',
  url: 'https://h.example',
  token: 'k',
  authentication: { scheme: 'Bearer' },
};
const key = { taskId: 't-1', id: 'p-1' };
const card = buildAgentCard({
  name: 'n',
  description: 'd',
  provider: { url: 'https://p.example', organization: 'o' },
  skills: [{ id: 's', name: 'S', description: 'd', tags: ['t'], examples: ['e'] }],
  endpoints: [{ binding: 'GRPC', url: 'a.example:443', versions: ['0.3'] }],
  extensions: [{ uri: 'urn:x', description: 'x', required: true, params: { a: 1 } }],
  extendedAgentCard: true,
});

/** A request and a response of each operation. */
const CALLS: Readonly<Record<OperationName, readonly [request: JsonObject, response: unknown]>> = {
  sendMessage: [{ message, configuration: { returnImmediately: true, historyLength: 3 } }, { task }],
  sendStreamingMessage: [{ message, configuration: { returnImmediately: true } }, { message }],
  getTask: [{ id: 't-1', historyLength: 2 }, task],
  listTasks: [{ pageSize: 5 }, { tasks: [task], nextPageToken: 'n', pageSize: 5, totalSize: 9 }],
  cancelTask: [{ id: 't-1' }, task],
  subscribeToTask: [
    { id: 't-1' },
    { artifactUpdate: { taskId: 't-1', contextId: 'c-1', artifact, append: true, lastChunk: true } },
  ],
  createTaskPushNotificationConfig: [config, config],
  getTaskPushNotificationConfig: [key, config],
  listTaskPushNotificationConfigs: [{ taskId: 't-1' }, { configs: [config] }],
  deleteTaskPushNotificationConfig: [key, {}],
  getExtendedAgentCard: [{}, card],
};

describe.each(['1.0', '0.3'] as const)('%s', (version) => {
  const names = OPERATION_NAMES.filter((name) => version === '1.0' || name !== 'listTasks');

  it.each(names)('%s survives a round trip', (name) => {
    const { encodeRequest, decodeRequest, encodeResponse, decodeResponse } = grpcProcedure(name, version);
    const [request, response] = CALLS[name];
    expect(decodeOperation(name, decodeRequest(encodeRequest(request))).request).toMatchObject(request);
    expect(decodeResponse(encodeResponse(response))).toMatchObject(response as object);
  });
});

it('lists no tasks in 0.3', () => {
  expect(() => grpcProcedure('listTasks', '0.3')).toThrow('does not support ListTasks');
});

describe('1.0', () => {
  it('is compatible with the SDK in both directions', () => {
    const sent = A2AService.sendMessage.requestDeserialize(
      grpcProcedure('sendMessage', '1.0').encodeRequest({ message }),
    );
    expect(sent.message?.parts).toHaveLength(4);
    const event = toSdkStreamResponse({
      artifactUpdate: {
        taskId: 't-1',
        contextId: 'c-1',
        artifact: { artifactId: 'a', parts: message.parts },
        append: true,
      },
    });
    const bytes = A2AService.subscribeToTask.responseSerialize(event);
    expect(grpcProcedure('subscribeToTask', '1.0').decodeResponse(bytes)).toEqual({
      artifactUpdate: {
        taskId: 't-1',
        contextId: 'c-1',
        artifact: { artifactId: 'a', parts: message.parts },
        append: true,
      },
    });
  });
});

/** What a2a-sdk 0.3.26 serializes: a message with three files, and a task that has it in its status, artifacts and history. */
const CONTENT = [
  '2a030a0178',
  '2a191217120268691a0a746578742f706c61696e2205612e747874',
  '2a1712150a1368747470733a2f2f612e6578616d706c652f62',
  '2a0e120c1202796f2206c3bc2e747874',
].join('');
const PYTHON_REQUEST = `0a4e0a016d2001${CONTENT}12022001`;
const PYTHON_EVENT = `0af8010a01741201631a520802124e0a016d2001${CONTENT}224c0a0161${CONTENT}2a4e0a016d2001${CONTENT}`;

describe('0.3', () => {
  it('writes messages that the SDK can read', () => {
    const configuration = { returnImmediately: true, historyLength: 3 };
    const bytes = grpcProcedure('sendMessage', '0.3').encodeRequest({ message, configuration });
    expect(LegacyA2AService.sendMessage.requestDeserialize(bytes)).toMatchObject({
      request: { messageId: 'm-1', contextId: 'c-1', role: 1, content: { length: 4 } },
      configuration: { blocking: false, historyLength: 3 },
    });
    const get = grpcProcedure('getTask', '0.3').encodeRequest({ id: 't-1' });
    expect(LegacyA2AService.getTask.requestDeserialize(get)).toEqual({ name: 'tasks/t-1', historyLength: 0 });
  });

  it.each([
    ['TASK_STATE_WORKING', false],
    ['TASK_STATE_INPUT_REQUIRED', true],
    ['TASK_STATE_COMPLETED', true],
  ])('marks the update of %s as final: %s', (state, final) => {
    const { encodeResponse } = grpcProcedure('subscribeToTask', '0.3');
    const bytes = encodeResponse({ statusUpdate: { taskId: 't', contextId: 'c', status: { state } } });
    expect(LegacyA2AService.taskSubscription.responseDeserialize(bytes)).toMatchObject({
      payload: { value: { final } },
    });
  });

  it('writes the names of files as the SDK of Python does', () => {
    const parts = [
      { text: 'x' },
      { raw: 'aGk=', mediaType: 'text/plain', filename: 'a.txt' },
      { url: 'https://a.example/b' },
      { raw: 'eW8=', filename: 'ü.txt' },
    ];
    const said = { messageId: 'm', role: 'ROLE_USER', parts } as const;
    const { encodeRequest, decodeRequest } = grpcProcedure('sendMessage', '0.3');
    const request = encodeRequest({ message: said });
    expect(request.toString('hex')).toBe(PYTHON_REQUEST);
    expect(decodeRequest(request)).toMatchObject({ message: said });
    const status = { state: 'TASK_STATE_WORKING', message: said };
    const event = {
      task: { id: 't', contextId: 'c', status, artifacts: [{ artifactId: 'a', parts }], history: [said] },
    };
    const { encodeResponse, decodeResponse } = grpcProcedure('subscribeToTask', '0.3');
    const response = encodeResponse(event);
    expect(response.toString('hex')).toBe(PYTHON_EVENT);
    expect(decodeResponse(response)).toMatchObject(event);
  });

  it('reads messages of the SDK', () => {
    const { request } = LegacyA2AService.sendMessage.requestDeserialize(
      grpcProcedure('sendMessage', '0.3').encodeRequest({ message }),
    );
    const cancelled: number = 5;
    const status = { state: cancelled, update: request, timestamp: '2026-01-31T12:00:00.000Z' };
    const bytes = LegacyA2AService.getTask.responseSerialize({
      id: 't-1',
      contextId: 'c-1',
      status,
      artifacts: [
        {
          artifactId: 'a',
          name: '',
          description: 'd',
          parts: request?.content ?? [],
          metadata: { state: 3 },
          extensions: [],
        },
      ],
      history: [],
      metadata: { role: 1 },
    });
    const parts = message.parts.map(({ filename: _unknown, ...part }) => part);
    expect(grpcProcedure('getTask', '0.3').decodeResponse(bytes)).toEqual({
      id: 't-1',
      contextId: 'c-1',
      status: {
        state: 'TASK_STATE_CANCELED',
        message: { ...message, parts },
        timestamp: '2026-01-31T12:00:00.000Z',
      },
      artifacts: [
        {
          artifactId: 'a',
          description: 'd',
          parts,
          metadata: { state: 3 },
        },
      ],
      metadata: { role: 1 },
    });
  });

  it('has no history length of zero', () => {
    const get = grpcProcedure('getTask', '0.3');
    expect(get.decodeRequest(get.encodeRequest({ id: 't-1', historyLength: 0 }))).toEqual({ id: 't-1' });
    const send = grpcProcedure('sendMessage', '0.3');
    const sent = send.decodeRequest(send.encodeRequest({ message, configuration: { historyLength: 0 } }));
    expect(sent).toMatchObject({ configuration: { returnImmediately: false } });
    expect(sent).not.toHaveProperty('configuration.historyLength');
  });

  it('says that a name is not that of a task', () => {
    const bytes = LegacyA2AService.cancelTask.requestSerialize({ name: 'nonsense' });
    expect(() => grpcProcedure('cancelTask', '0.3').decodeRequest(bytes)).toThrow(
      'name: expected tasks/ID, found "nonsense"',
    );
  });
});

it('restores the details of an error', () => {
  const error = new A2AError('RESOURCE_EXHAUSTED', 'Too many.', {
    metadata: { limit: '5' },
    fields: [{ field: 'message', description: 'too long' }],
    retryAfterSeconds: 2.5,
  });
  expect(errorDetailsOfTrailer(toGrpcStatus(error).details)).toEqual(errorDetails(error));
  expect(errorDetailsOfTrailer(Buffer.from('not a status'))).toEqual([]);
});
