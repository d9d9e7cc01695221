import { describe, expect, test } from 'vitest';
import { RemoteAgentError, type ValidationIssue } from '../remote-agent-error.ts';
import { checkRequest } from './check-request.ts';

const PARTS = [{ kind: 'text', text: 'hello' }];
const TARGET = {
  target_url: 'https://support.example/',
  card_path: '/.well-known/agent-card.json',
  preferred_transports: ['JSONRPC'],
};
const TASK = { task_id: 't-1' };
const CONVERSATION = { context_id: 'c-1', can_send: true };

/** The issues of a request. */
function issuesOf(params: unknown, { hasDefault = false } = {}): readonly ValidationIssue[] {
  const check = checkRequest(hasDefault);
  try {
    check(params);
    return [];
  } catch (error) {
    if (!(error instanceof RemoteAgentError)) throw error;
    expect(error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { source: 'ajv', tool: 'remote_agent' },
    });
    return error.details['errors'] as ValidationIssue[];
  }
}

function send(fields: object): object {
  return { action: 'send', target_alias: 'support', parts: PARTS, ...fields };
}

describe('valid requests', () => {
  test.each([
    ['list_targets', { action: 'list_targets' }],
    ['a file by its URI', send({ parts: [{ kind: 'file', uri: 'https://a.example/f', name: 'f' }] })],
    ['a file by its bytes', send({ parts: [{ kind: 'file', bytes: 'aGk=', mime_type: 'text/plain' }] })],
    ['a file by both', send({ parts: [{ kind: 'file', uri: 'https://a.example/f', bytes: 'aGk=' }] })],
    ['data', send({ parts: [{ kind: 'data', data: { a: 1 }, metadata: { b: 2 } }] })],
    ['no accepted output modes', send({ accepted_output_modes: [] })],
    ['a history length of zero', send({ history_length: 0 })],
    [
      'a push configuration',
      send({
        push_notification_config: { url: 'https://a.example', authentication: { schemes: ['Bearer'] } },
      }),
    ],
    ['blocking without a stream', send({ blocking: true, follow_updates: false })],
    [
      'several targets',
      { action: 'send', target_aliases: ['support', 'billing'], collect: 'first', parts: PARTS },
    ],
    ['a task to send to', { action: 'send', continuation: { target: TARGET, task: TASK }, parts: PARTS }],
    [
      'a conversation to send to',
      { action: 'send', continuation: { target: TARGET, conversation: CONVERSATION }, parts: PARTS },
    ],
    [
      'a conversation by its id alone',
      {
        action: 'send',
        continuation: { target: TARGET, conversation: { context_id: 'c-1' } },
        parts: PARTS,
      },
    ],
    ['a handle', { action: 'watch', task_handle: 'rah_1' }],
    ['a task id and a target', { action: 'cancel', task_id: 't-1', target_url: 'https://support.example' }],
    ['several tasks', { action: 'watch', wait_for: { task_handles: ['rah_1', 'rah_2'], mode: 'any' } }],
    ['service parameters', send({ service_parameters: { 'X-Trace': 'on' } })],
  ])('%s', (_name, params) => {
    expect(issuesOf(params)).toEqual([]);
  });

  test('the default target is used if none is given', () => {
    expect(issuesOf({ action: 'send', parts: PARTS }, { hasDefault: true })).toEqual([]);
    expect(issuesOf({ action: 'status', task_id: 't-1' }, { hasDefault: true })).toEqual([]);
  });
});

describe('the schema rejects', () => {
  test.each([
    ['a value that is not an object', 'send', '', 'type'],
    ['no action', {}, '', 'required'],
    ['an unknown action', { action: 'delete' }, '/action', 'enum'],
    ['an unknown field', send({ targetAlias: 'support' }), '', 'additionalProperties'],
    ['an empty alias', send({ target_alias: '' }), '/target_alias', 'minLength'],
    ['a URL with another scheme', send({ target_url: 'ftp://a.example' }), '/target_url', 'pattern'],
    ['an invalid URL', send({ target_url: 'https://' }), '/target_url', 'format'],
    ['a malformed handle', send({ task_handle: 'handle-1' }), '/task_handle', 'pattern'],
    ['no parts', send({ parts: [] }), '/parts', 'minItems'],
    ['a part of an unknown kind', send({ parts: [{ kind: 'image' }] }), '/parts/0', 'discriminator'],
    ['a text part without text', send({ parts: [{ kind: 'text' }] }), '/parts/0', 'required'],
    ['a file without content', send({ parts: [{ kind: 'file', name: 'f' }] }), '/parts/0', 'anyOf'],
    ['data that is not an object', send({ parts: [{ kind: 'data', data: [1] }] }), '/parts/0/data', 'type'],
    [
      'part metadata that is not an object',
      send({ parts: [{ kind: 'text', text: 't', metadata: 1 }] }),
      '/parts/0/metadata',
      'type',
    ],
    [
      'an unknown field of a part',
      send({ parts: [{ kind: 'text', text: 't', more: 1 }] }),
      '/parts/0',
      'additionalProperties',
    ],
    ['no reference task ids', send({ reference_task_ids: [] }), '/reference_task_ids', 'minItems'],
    ['an unknown task requirement', send({ task_requirement: 'always' }), '/task_requirement', 'enum'],
    ['a negative history length', send({ history_length: -1 }), '/history_length', 'minimum'],
    ['a history length as a string', send({ history_length: '2' }), '/history_length', 'type'],
    ['a timeout of zero', send({ timeout_ms: 0 }), '/timeout_ms', 'minimum'],
    [
      'a service parameter that is not a string',
      send({ service_parameters: { a: 1 } }),
      '/service_parameters/a',
      'type',
    ],
    [
      'a push configuration without a URL',
      send({ push_notification_config: {} }),
      '/push_notification_config',
      'required',
    ],
    [
      'authentication without schemes',
      send({ push_notification_config: { url: 'https://a.example', authentication: { schemes: [] } } }),
      '/push_notification_config/authentication/schemes',
      'minItems',
    ],
    [
      'a continuation without a target',
      { action: 'status', continuation: { task: TASK } },
      '/continuation',
      'required',
    ],
    [
      'a target without transports',
      { action: 'status', continuation: { target: { ...TARGET, preferred_transports: [] }, task: TASK } },
      '/continuation/target/preferred_transports',
      'minItems',
    ],
    [
      'an unknown transport',
      {
        action: 'status',
        continuation: { target: { ...TARGET, preferred_transports: ['SOAP'] }, task: TASK },
      },
      '/continuation/target/preferred_transports/0',
      'enum',
    ],
    [
      'a task without an id',
      { action: 'status', continuation: { target: TARGET, task: {} } },
      '/continuation/task',
      'required',
    ],
    [
      'a conversation with can_send: false',
      {
        action: 'send',
        parts: PARTS,
        continuation: { target: TARGET, conversation: { context_id: 'c', can_send: false } },
      },
      '/continuation/conversation/can_send',
      'const',
    ],
    [
      'a continuation with unknown fields',
      { action: 'status', continuation: { target: TARGET, task: TASK, more: 1 } },
      '/continuation',
      'additionalProperties',
    ],
    [
      'the same target twice',
      { action: 'send', target_aliases: ['support', 'support'], parts: PARTS },
      '/target_aliases',
      'uniqueItems',
    ],
  ])('%s', (_name, params, instancePath, keyword) => {
    expect(issuesOf(params)).toContainEqual(
      expect.objectContaining({ instancePath, keyword, schemaPath: expect.stringMatching(/^#\//) as string }),
    );
  });

  test('all issues at once, before any runtime rule', () => {
    const issues = issuesOf({ action: 'status', history_length: -1, timeout_ms: 0, parts: [] });
    expect(issues.map(({ instancePath }) => instancePath).toSorted()).toEqual([
      '/history_length',
      '/parts',
      '/timeout_ms',
    ]);
  });
});

test.each([
  [{ action: 'delete' }, 'Set action to one of: list_targets, send, watch, status, cancel.'],
  [send({ collect: 'some' }), 'Set collect to one of: all, first.'],
  [
    send({ targetAlias: 'support' }),
    '"targetAlias" is not a field of this tool; did you mean "target_alias"?',
  ],
  [send({ zzz: 1 }), 'Remove "zzz", which is not a field of this tool.'],
  [
    { action: 'send', target_alias: 'support', message: 'hi' },
    'Send the text in parts instead of "message": "parts":[{"kind":"text","text":"…"}].',
  ],
  [send({ parts: [{ text: 'hi' }] }), expect.stringMatching(/^Give each part a kind: \{"kind":"text"/)],
  [send({ parts: [{ kind: 'image' }] }), expect.stringMatching(/^Give each part a kind/)],
])('the error of %j has a hint', (params, hint) => {
  expect(() => checkRequest(false)(params)).toThrow(
    expect.objectContaining({ details: expect.objectContaining({ hint }) as object }),
  );
});

test('a part with the wrong field for its kind is one issue', () => {
  expect(issuesOf(send({ parts: [{ type: 'text', text: 'hi' }] }))).toHaveLength(1);
});

test('a part without a kind is one issue', () => {
  expect(issuesOf(send({ parts: [{ text: 'hi' }] })).map(({ message }) => message)).toEqual([
    expect.stringContaining('kind'),
  ]);
});

describe('the runtime rules reject', () => {
  test.each([
    ['list_targets', 'target_alias', { action: 'list_targets', target_alias: 'support' }],
    ['watch', 'parts', { action: 'watch', task_handle: 'rah_1', parts: PARTS }],
    ['watch', 'history_length', { action: 'watch', task_handle: 'rah_1', history_length: 1 }],
    ['status', 'context_id', { action: 'status', task_handle: 'rah_1', context_id: 'c-1' }],
    ['status', 'wait_for', { action: 'status', wait_for: { task_handles: ['rah_2'] } }],
    ['cancel', 'metadata', { action: 'cancel', task_handle: 'rah_1', metadata: {} }],
  ])('%s with the field %s', (action, field, params) => {
    expect(issuesOf(params)).toEqual([
      {
        keyword: 'not',
        instancePath: `/${field}`,
        schemaPath: '#/runtime/not',
        params: { field, action },
        message: `"${field}" is not supported for action=${action}`,
      },
    ]);
  });

  test.each([
    ['task_handle', 'rah_1'],
    ['task_id', 't-1'],
    ['context_id', 'c-1'],
    ['target_alias', 'support'],
    ['target_url', 'https://support.example'],
  ])('a continuation combined with %s', (field, value) => {
    const continuation = { target: TARGET, task: TASK };
    expect(issuesOf({ action: 'send', parts: PARTS, continuation, [field]: value })).toMatchObject([
      { keyword: 'not', message: `"continuation" cannot be combined with "${field}"` },
    ]);
  });

  test.each([
    ['send without parts', { action: 'send', target_alias: 'support' }, 'send requires parts'],
    [
      'blocking with a stream',
      send({ blocking: false, follow_updates: true }),
      'blocking is not supported when follow_updates=true',
    ],
    [
      'send without a target',
      { action: 'send', parts: PARTS },
      'send requires task_handle, target_alias, target_url, or a configured default target',
    ],
    [
      'send with an empty continuation',
      { action: 'send', parts: PARTS, continuation: { target: TARGET } },
      'send requires continuation.task or continuation.conversation',
    ],
    ['collect without target_aliases', send({ collect: 'all' }), 'collect requires target_aliases'],
    [
      'target_aliases with target_alias',
      send({ target_aliases: ['billing'] }),
      '"target_aliases" cannot be combined with "target_alias"',
    ],
    [
      'wait_for with task_handle',
      { action: 'watch', task_handle: 'rah_1', wait_for: { task_handles: ['rah_2'] } },
      '"wait_for" cannot be combined with "task_handle"',
    ],
    ['status without a task', { action: 'status' }, 'status requires continuation, task_handle or task_id'],
    [
      'status of a conversation',
      { action: 'status', continuation: { target: TARGET, conversation: CONVERSATION } },
      'status requires continuation.task.task_id; a conversation without a task can only be continued with send',
    ],
    [
      'a task id without a target',
      { action: 'cancel', task_id: 't-1' },
      'cancel with task_id requires target_alias, target_url, or a configured default target',
    ],
  ])('%s', (_name, params, message) => {
    expect(issuesOf(params)).toMatchObject([
      { message, schemaPath: expect.stringMatching(/^#\/runtime\//) as string },
    ]);
  });

  test.each([
    ['Host', 'a.example'],
    ['Content-Length', '1'],
    ['A2A-Version', '9.9'],
    ['a b', 'x'],
    ['X-Trace', 'a\r\nX-More: b'],
  ])('the service parameter %s: %j', (name, value) => {
    expect(issuesOf(send({ service_parameters: { [name]: value } }))).toMatchObject([
      { keyword: 'pattern', instancePath: '/service_parameters', params: { name } },
    ]);
  });
});

test.each(['Authorization', 'cookie', 'Proxy-Authorization'])(
  'the service parameter %s is reserved for credentials',
  (name) => {
    expect(issuesOf(send({ service_parameters: { [name]: 'Bearer secret' } }))).toMatchObject([
      {
        instancePath: '/service_parameters',
        params: { name },
        message: `"${name}" is reserved for credentials, which the user configures as auth of the target: leave it out`,
      },
    ]);
  },
);

test('bytes that are not Base64 are named', () => {
  const parts = [...PARTS, { kind: 'file', bytes: 'name,amount!' }];
  expect(issuesOf(send({ parts }))).toMatchObject([
    { instancePath: '/parts/1/bytes', message: expect.stringContaining('"name,amount!"') as string },
  ]);
});
