/** Valid requests to be mutated. None of them starts long work. */
const MESSAGE = {
  messageId: 'fuzz',
  role: 'ROLE_USER',
  parts: [{ text: 'echo fuzz' }, { data: { a: [1, 2] } }, { raw: 'AAEC', filename: 'a.bin' }],
  metadata: { purpose: 'fuzz' },
  extensions: ['urn:example:extension'],
};
const LEGACY_MESSAGE = {
  kind: 'message',
  messageId: 'fuzz',
  role: 'user',
  parts: [
    { kind: 'text', text: 'echo fuzz' },
    { kind: 'data', data: { a: 1 } },
  ],
};
const PUSH_CONFIG = { taskId: 'none', url: 'https://receiver.example/hook', token: 'fuzz' };

interface JsonRpcRequest {
  method: string;
  params: object;
}

interface RestCall {
  verb: string;
  path: string;
  body?: object;
}

const REQUESTS: readonly JsonRpcRequest[] = [
  { method: 'SendMessage', params: { message: MESSAGE, configuration: { historyLength: 1 } } },
  { method: 'SendStreamingMessage', params: { message: MESSAGE } },
  { method: 'GetTask', params: { id: 'none', historyLength: 3 } },
  { method: 'ListTasks', params: { pageSize: 5, status: 'TASK_STATE_COMPLETED', pageToken: '' } },
  { method: 'CancelTask', params: { id: 'none' } },
  { method: 'SubscribeToTask', params: { id: 'none' } },
  { method: 'CreateTaskPushNotificationConfig', params: PUSH_CONFIG },
  { method: 'ListTaskPushNotificationConfigs', params: { taskId: 'none' } },
  { method: 'DeleteTaskPushNotificationConfig', params: { taskId: 'none', id: 'none' } },
  { method: 'GetExtendedAgentCard', params: {} },
];

const LEGACY_REQUESTS: readonly JsonRpcRequest[] = [
  { method: 'message/send', params: { message: LEGACY_MESSAGE, configuration: { blocking: true } } },
  { method: 'message/stream', params: { message: LEGACY_MESSAGE } },
  { method: 'tasks/get', params: { id: 'none', historyLength: 3 } },
  { method: 'tasks/cancel', params: { id: 'none' } },
  { method: 'tasks/resubscribe', params: { id: 'none' } },
  {
    method: 'tasks/pushNotificationConfig/set',
    params: { taskId: 'none', pushNotificationConfig: { url: 'https://receiver.example/hook' } },
  },
];

const PATHS: readonly RestCall[] = [
  { verb: 'POST', path: '/message:send', body: { message: MESSAGE } },
  { verb: 'POST', path: '/message:stream', body: { message: MESSAGE } },
  { verb: 'GET', path: '/tasks/none?historyLength=3' },
  { verb: 'GET', path: '/tasks?pageSize=5&status=TASK_STATE_WORKING&includeArtifacts=true' },
  { verb: 'POST', path: '/tasks/none:cancel', body: {} },
  { verb: 'GET', path: '/tasks/none:subscribe' },
  { verb: 'POST', path: '/tasks/none/pushNotificationConfigs', body: PUSH_CONFIG },
  { verb: 'DELETE', path: '/tasks/none/pushNotificationConfigs/none' },
];

const LEGACY_PATHS: readonly RestCall[] = [
  {
    verb: 'POST',
    path: '/v1/message:send',
    body: { request: { messageId: 'fuzz', role: 'ROLE_USER', content: [{ text: 'echo fuzz' }] } },
  },
  { verb: 'GET', path: '/v1/tasks/none' },
  { verb: 'POST', path: '/v1/tasks/none:cancel', body: {} },
];

export const JSON_RPC_REQUESTS = bothVersions(REQUESTS, LEGACY_REQUESTS);
export const REST_REQUESTS = bothVersions(PATHS, LEGACY_PATHS);

function bothVersions<Call extends object>(
  current: readonly Call[],
  legacy: readonly Call[],
): readonly (Call & { version: string })[] {
  return [
    ...current.map((call) => ({ ...call, version: '1.0' })),
    ...legacy.map((call) => ({ ...call, version: '0.3' })),
  ];
}
