import { expect, test } from 'vitest';
import { READERS } from './answers.ts';

test('fills in values that ProtoJSON omits', () => {
  expect(
    READERS.task({
      id: 't-1',
      status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{}] } },
      artifacts: [{ artifactId: 'a' }],
      history: null,
    }),
  ).toEqual({
    id: 't-1',
    contextId: '',
    status: {
      state: 'TASK_STATE_COMPLETED',
      message: { messageId: '', role: 'ROLE_AGENT', parts: [{ text: '' }] },
    },
    artifacts: [{ artifactId: 'a', parts: [] }],
  });
});

test.each(['TASK_STATE_UNKNOWN', 'TASK_STATE_UNSPECIFIED', undefined])(
  'a state that nobody knows (%s) is not an end',
  (state) => {
    expect(READERS.task({ id: 't-1', status: { state } }).status.state).toBe('TASK_STATE_WORKING');
  },
);

test('keeps data that is null', () => {
  const event = READERS.events({
    artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ data: null }] } },
  });
  expect(event).toMatchObject({ artifactUpdate: { artifact: { parts: [{ data: null }] } } });
});

const BREAKS_COMPARISONS = { length: { toString: 1 } };

test.each([null, 'text', [], {}, { task: {} }, { message: 'x' }, { task: { id: BREAKS_COMPARISONS } }])(
  'refuses %j',
  (json) => {
    expect(() => READERS.sendResponse(json)).toThrow(
      expect.objectContaining({
        code: 'INVALID_AGENT_RESPONSE',
        message: expect.stringMatching(
          /^The agent sent an invalid response: expected a task or a message/,
        ) as string,
      }),
    );
  },
);

test('a card requires a name and interfaces', () => {
  const supportedInterfaces = [{ url: 'https://a.example' }];
  expect(READERS.card({ name: 'n', supportedInterfaces })).toMatchObject({
    description: '',
    skills: [],
    capabilities: {},
    supportedInterfaces: [{ protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  });
  expect(() => READERS.card({ supportedInterfaces })).toThrow('an agent card');
});
