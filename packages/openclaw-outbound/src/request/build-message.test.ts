import { expect, test } from 'vitest';
import { buildMessage, buildPart, type MessageFacts } from './build-message.ts';

const TARGET = {
  baseUrl: 'https://a.example/',
  cardPath: '/card.json',
  preferredTransports: ['JSONRPC'],
} as const;

function build(facts: Partial<MessageFacts>): object {
  return buildMessage({
    request: { action: 'send', parts: [{ kind: 'text', text: 'hello' }] },
    destination: { target: TARGET },
    messageId: 'm-1',
    route: { hops: 1, origins: ['here'] },
    acceptedOutputModes: [],
    returnImmediately: undefined,
    ...facts,
  });
}

test('a minimal message', () => {
  expect(build({})).toEqual({
    message: {
      messageId: 'm-1',
      role: 'ROLE_USER',
      parts: [{ text: 'hello' }],
      metadata: { 'urn:holdword:a2a:route:v1': { hops: 1, origins: ['here'] } },
    },
    configuration: {},
  });
});

test('a request with every field', () => {
  const built = build({
    request: {
      action: 'send',
      parts: [],
      reference_task_ids: ['t-0'],
      metadata: { ticket: 1 },
      history_length: 0,
      push_notification_config: {
        url: 'https://a.example/hook',
        id: 'p-1',
        token: 'token',
        authentication: { schemes: ['Bearer', 'Basic'], credentials: 'c' },
      },
    },
    destination: { target: TARGET, taskId: 't-1', contextId: 'c-1' },
    acceptedOutputModes: ['text/plain'],
    returnImmediately: true,
  });
  expect(built).toMatchObject({
    message: { taskId: 't-1', contextId: 'c-1', referenceTaskIds: ['t-0'] },
    metadata: { ticket: 1 },
    configuration: {
      acceptedOutputModes: ['text/plain'],
      historyLength: 0,
      returnImmediately: true,
      taskPushNotificationConfig: {
        url: 'https://a.example/hook',
        id: 'p-1',
        token: 'token',
        authentication: { scheme: 'Bearer', credentials: 'c' },
      },
    },
  });
});

test('an empty list of accepted output modes overrides the policy', () => {
  const acceptedOutputModes = ['a/b'];
  expect(build({ acceptedOutputModes })).toMatchObject({ configuration: { acceptedOutputModes } });
  expect(
    build({ request: { action: 'send', parts: [], accepted_output_modes: [] }, acceptedOutputModes }),
  ).not.toHaveProperty('configuration.acceptedOutputModes');
});

test.each([
  [
    { kind: 'text', text: 't', metadata: { a: 1 } },
    { text: 't', metadata: { a: 1 } },
  ],
  [{ kind: 'data', data: { a: 1 } }, { data: { a: 1 } }],
  [
    { kind: 'file', bytes: 'aGk=', name: 'f', mime_type: 'text/plain' },
    { raw: 'aGk=', filename: 'f', mediaType: 'text/plain' },
  ],
  [{ kind: 'file', uri: 'https://a.example/f', bytes: 'aGk=' }, { url: 'https://a.example/f' }],
] as const)('converts the part %j', (part, built) => {
  expect(buildPart(part)).toEqual(built);
});
