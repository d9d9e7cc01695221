import { validationError } from '../results/validation-error.ts';
import { fieldIssues } from './action-fields.ts';
import type { RemoteAgentRequest } from './request.ts';
import type { JsonSchema } from './request-schema.ts';
import { requestValidator } from './request-validator.ts';
import { ruleIssues } from './runtime-rules.ts';

/** Returns the validated request, or throws a RemoteAgentError that lists all issues. */
export type RequestCheck = (params: unknown) => RemoteAgentRequest;

/** Runtime rules are checked only after the schema: rules about missing fields would be noise. */
export function checkRequest(schema: JsonSchema, hasDefaultTarget: boolean): RequestCheck {
  const validate = requestValidator(schema);
  return (params) => {
    const checked = validate(params);
    if ('issues' in checked) throw validationError(checked.issues);
    const { request } = checked;
    const issues = [...fieldIssues(request), ...ruleIssues(request, { hasDefaultTarget })];
    if (issues.length > 0) throw validationError(issues);
    return request;
  };
}
