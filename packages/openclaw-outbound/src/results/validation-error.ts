import type { JsonObject } from '@holdword/protocol';
import type { ValidationIssue } from '../request/validation-issue.ts';
import { RemoteAgentError } from './remote-agent-error.ts';

export function validationError(
  errors: readonly ValidationIssue[],
  details: JsonObject = {},
): RemoteAgentError {
  return new RemoteAgentError('VALIDATION_ERROR', 'remote_agent input validation failed', {
    source: 'ajv',
    tool: 'remote_agent',
    errors,
    ...details,
  });
}
