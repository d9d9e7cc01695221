import { A2AService } from '@a2a-js/sdk/server/grpc';
import { LegacyA2AService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import { describe, expect, it } from 'vitest';
import { A2AError } from '../../errors/a2a-error.ts';
import { errorDetails } from '../../errors/error-details.ts';
import { toGrpcStatus } from '../../errors/grpc-status.ts';
import type { Message } from '../../model/message.ts';
import { toSdkStreamResponse } from '../to-sdk.ts';
import { errorDetailsOfTrailer } from './error-details-of-trailer.ts';
import { LEGACY_PROCEDURES } from './legacy-procedures.ts';
import { PROCEDURES } from './procedures.ts';

const message: Message = {
  messageId: 'm-1',
  contextId: 'c-1',
  role: 'ROLE_USER',
  parts: [
    { text: '' },
    { raw: '+/8=', mediaType: 'application/octet-stream' },
    { url: 'https://a.example/b' },
    { data: { deep: [null, 1] } },
  ],
};

describe('1.0', () => {
  it('is compatible with the SDK in both directions', () => {
    const sent = A2AService.sendMessage.requestDeserialize(PROCEDURES.sendMessage.serialize({ message }));
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
    expect(PROCEDURES.subscribeToTask.deserialize(bytes)).toEqual({
      artifactUpdate: {
        taskId: 't-1',
        contextId: 'c-1',
        artifact: { artifactId: 'a', parts: message.parts },
        append: true,
      },
    });
  });
});

describe('0.3', () => {
  it('writes messages that the SDK can read', () => {
    const configuration = { returnImmediately: true, historyLength: 3 };
    const bytes = LEGACY_PROCEDURES.sendMessage.serialize({ message, configuration });
    expect(LegacyA2AService.sendMessage.requestDeserialize(bytes)).toMatchObject({
      request: { messageId: 'm-1', contextId: 'c-1', role: 1, content: { length: 4 } },
      configuration: { blocking: false, historyLength: 3 },
    });
    const get = LEGACY_PROCEDURES.getTask.serialize({ id: 't-1' });
    expect(LegacyA2AService.getTask.requestDeserialize(get)).toEqual({ name: 'tasks/t-1', historyLength: 0 });
  });

  it('reads messages of the SDK', () => {
    const { request } = LegacyA2AService.sendMessage.requestDeserialize(
      LEGACY_PROCEDURES.sendMessage.serialize({ message }),
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
    expect(LEGACY_PROCEDURES.getTask.deserialize(bytes)).toEqual({
      id: 't-1',
      contextId: 'c-1',
      status: {
        state: 'TASK_STATE_CANCELED',
        message: { ...message, extensions: [] },
        timestamp: '2026-01-31T12:00:00.000Z',
      },
      artifacts: [
        {
          artifactId: 'a',
          description: 'd',
          parts: message.parts,
          metadata: { state: 3 },
          extensions: [],
        },
      ],
      history: [],
      metadata: { role: 1 },
    });
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
