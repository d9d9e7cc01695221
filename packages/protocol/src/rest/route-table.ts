import type { OperationName } from '../operation-table.ts';

export type RestVerb = 'GET' | 'POST' | 'DELETE';

export interface RestRoute {
  readonly path: string;
  readonly operations: Readonly<Partial<Record<RestVerb, OperationName>>>;
}

/**
 * The paths of the HTTP+JSON binding of 1.0 below its mount, without the optional tenant. `{name}` stands for that field of
 * the request. The first match wins, so `tasks/{id}` comes after the paths with a suffix.
 */
export const REST_ROUTES: readonly RestRoute[] = [
  { path: 'message:send', operations: { POST: 'sendMessage' } },
  { path: 'message:stream', operations: { POST: 'sendStreamingMessage' } },
  { path: 'tasks', operations: { GET: 'listTasks' } },
  { path: 'tasks/{id}:cancel', operations: { POST: 'cancelTask' } },
  // The text of the specification says POST, its a2a.proto says GET: both are supported.
  { path: 'tasks/{id}:subscribe', operations: { GET: 'subscribeToTask', POST: 'subscribeToTask' } },
  { path: 'tasks/{id}', operations: { GET: 'getTask' } },
  {
    path: 'tasks/{taskId}/pushNotificationConfigs',
    operations: { GET: 'listTaskPushNotificationConfigs', POST: 'createTaskPushNotificationConfig' },
  },
  {
    path: 'tasks/{taskId}/pushNotificationConfigs/{id}',
    operations: { GET: 'getTaskPushNotificationConfig', DELETE: 'deleteTaskPushNotificationConfig' },
  },
  { path: 'extendedAgentCard', operations: { GET: 'getExtendedAgentCard' } },
];

/** The paths of 0.3 below its `/v1`: those of 1.0 without the list of tasks and with a different path for the card. */
export const LEGACY_REST_ROUTES: readonly RestRoute[] = REST_ROUTES.filter(
  ({ operations }) => operations.GET !== 'listTasks',
).map((route) => (route.operations.GET === 'getExtendedAgentCard' ? { ...route, path: 'card' } : route));
