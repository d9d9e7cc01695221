import { validationError } from '../results/validation-error.ts';
import { fieldIssues } from './action-fields.ts';
import type { RemoteAgentRequest } from './request.ts';
import type { JsonSchema } from './request-schema.ts';
import { requestValidator } from './request-validator.ts';
import { ruleIssues } from './runtime-rules.ts';

/** Gives the request that a model made, or throws a RemoteAgentError with everything that is wrong with it. */
export type RequestCheck = (params: unknown) => RemoteAgentRequest;

/** What the schema finds is told first; rules about fields that may not even be there would only confuse. */
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
