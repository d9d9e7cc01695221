import type { Action, RemoteAgentRequest } from './request.ts';
import { runtimeIssue, type ValidationIssue } from './validation-issue.ts';

type Field = keyof RemoteAgentRequest;

const FOLLOW_UP: readonly Field[] = [
  'action',
  'target_alias',
  'target_url',
  'task_handle',
  'continuation',
  'task_id',
  'timeout_ms',
  'service_parameters',
];

const SEND: readonly Field[] = [
  ...FOLLOW_UP,
  'target_aliases',
  'collect',
  'parts',
  'message_id',
  'context_id',
  'reference_task_ids',
  'task_requirement',
  'follow_updates',
  'accepted_output_modes',
  'blocking',
  'history_length',
  'push_notification_config',
  'metadata',
];

const FIELDS: Readonly<Record<Action, readonly Field[]>> = {
  list_targets: ['action'],
  send: SEND,
  watch: [...FOLLOW_UP, 'wait_for'],
  status: [...FOLLOW_UP, 'history_length'],
  cancel: FOLLOW_UP,
};

/** Issues for fields that the request's action does not support. */
export function fieldIssues(request: RemoteAgentRequest): ValidationIssue[] {
  const { action } = request;
  const allowed: readonly string[] = FIELDS[action];
  return Object.keys(request)
    .filter((field) => !allowed.includes(field))
    .map((field) =>
      runtimeIssue('not', `"${field}" is not supported for action=${action}`, { field, action }, `/${field}`),
    );
}
