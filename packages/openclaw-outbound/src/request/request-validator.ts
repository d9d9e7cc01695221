import { Ajv } from 'ajv';
import type { RemoteAgentRequest } from './request.ts';
import type { JsonSchema } from './request-schema.ts';
import type { ValidationIssue } from './validation-issue.ts';

export type SchemaCheck = { request: RemoteAgentRequest } | { issues: readonly ValidationIssue[] };

/** Validates requests against the schema, without coercion, defaults or removal of fields. */
export function requestValidator(schema: JsonSchema): (params: unknown) => SchemaCheck {
  // strictRequired is off because `required` inside `anyOf` refers to properties of the enclosing object.
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
          message: message ?? 'is invalid',
        }),
      ),
    };
  };
}
