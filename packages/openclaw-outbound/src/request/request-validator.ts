import { Ajv } from 'ajv';
import type { RemoteAgentRequest } from './request.ts';
import type { JsonSchema } from './request-schema.ts';
import type { ValidationIssue } from './validation-issue.ts';

export type SchemaCheck = { request: RemoteAgentRequest } | { issues: readonly ValidationIssue[] };

/** Checks requests against the schema as they are: nothing is converted, filled in or left out. */
export function requestValidator(schema: JsonSchema): (params: unknown) => SchemaCheck {
  // A union of types is spelled out by `oneOf`, and `required` inside `anyOf` repeats names of the object around it.
  const ajv = new Ajv({ strict: true, strictRequired: false, allErrors: true });
  ajv.addFormat('uri', (text: string) => URL.canParse(text));
  const validate = ajv.compile<RemoteAgentRequest>(schema);
  return (params) => {
    if (validate(params)) return { request: params };
    return {
      issues: (validate.errors ?? []).map(
        ({ keyword, instancePath, schemaPath, params: found, message }) => ({
          keyword,
          instancePath,
          schemaPath,
          params: { ...found },
          message: message ?? 'is not as expected',
        }),
      ),
    };
  };
}
