/** One thing that is wrong with a request, in the form in which Ajv reports it. */
export interface ValidationIssue {
  readonly keyword: string;
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** An issue that no schema finds. */
export function runtimeIssue(
  keyword: string,
  message: string,
  params: Readonly<Record<string, unknown>> = {},
  instancePath = '',
): ValidationIssue {
  return { keyword, instancePath, schemaPath: `#/runtime/${keyword}`, params, message };
}
