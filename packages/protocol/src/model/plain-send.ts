import { isObject } from './json.ts';
import { isBareText } from './part.ts';
import type { SendMessageRequest } from './requests.ts';

const FIELDS: ReadonlySet<string> = new Set(['messageId', 'contextId', 'taskId', 'role', 'parts']);

/**
 * Whether a request sends plain text and nothing else, as most do. The schema would return it unchanged, at thirty times the
 * cost.
 */
export function isPlainSend(request: unknown): request is SendMessageRequest {
  return isObject(request) && Object.keys(request).length === 1 && isPlainMessage(request['message']);
}

function isPlainMessage(message: unknown): boolean {
  if (!isObject(message)) return false;
  for (const field of Object.keys(message)) if (!FIELDS.has(field)) return false;
  const { messageId, contextId, taskId, role, parts } = message;
  return (
    isName(messageId) &&
    (contextId === undefined || isName(contextId)) &&
    (taskId === undefined || isName(taskId)) &&
    (role === 'ROLE_USER' || role === 'ROLE_AGENT') &&
    Array.isArray(parts) &&
    parts.length > 0 &&
    parts.every(isBareText)
  );
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
