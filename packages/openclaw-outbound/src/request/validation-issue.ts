/** One issue of a request, in Ajv's error format. */
export interface ValidationIssue {
  readonly keyword: string;
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** An issue found by a runtime rule instead of the schema. */
export function runtimeIssue(
  keyword: string,
  message: string,
  params: Readonly<Record<string, unknown>> = {},
  instancePath = '',
): ValidationIssue {
  return { keyword, instancePath, schemaPath: `#/runtime/${keyword}`, params, message };
}
