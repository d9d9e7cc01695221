import { invalidFields } from '../decode-request.ts';
import type { FieldViolation } from '../errors/a2a-error.ts';
import type { OperationName } from '../operation-table.ts';

type ParameterType = 'string' | 'integer' | 'boolean';

/** The query parameters of the operations without a body, besides the tenant. */
const PARAMETERS: Partial<Record<OperationName, Readonly<Record<string, ParameterType>>>> = {
  getTask: { historyLength: 'integer' },
  listTasks: {
    contextId: 'string',
    status: 'string',
    pageSize: 'integer',
    pageToken: 'string',
    historyLength: 'integer',
    statusTimestampAfter: 'string',
    includeArtifacts: 'boolean',
  },
  listTaskPushNotificationConfigs: { pageSize: 'integer', pageToken: 'string' },
};

const INTEGER = /^-?\d+$/;

/** Decodes the fields of a request from a query. Empty and unknown parameters are ignored. */
export function decodeQuery(operation: OperationName, query: URLSearchParams): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const violations: FieldViolation[] = [];
  for (const [field, type] of Object.entries({ tenant: 'string' as const, ...PARAMETERS[operation] })) {
    const values = query.getAll(field).filter((value) => value !== '');
    const [text] = values;
    if (text === undefined) continue;
    const value = values.length === 1 ? decodeParameter(text, type) : undefined;
    if (value === undefined) {
      const found = values.map((given) => JSON.stringify(given.slice(0, 60))).join(' and ');
      violations.push({ field, description: `expected one ${EXPECTED[type]}, found ${found}` });
    }
    fields[field] = value;
  }
  if (violations.length > 0) throw invalidFields(violations);
  return fields;
}

const EXPECTED: Record<ParameterType, string> = {
  string: 'value',
  integer: 'integer',
  boolean: 'boolean, true or false',
};

function decodeParameter(text: string, type: ParameterType): string | number | boolean | undefined {
  switch (type) {
    case 'integer':
      return INTEGER.test(text) ? Number(text) : undefined;
    case 'boolean':
      return text === 'true' || (text === 'false' ? false : undefined);
    case 'string':
    default:
      return text;
  }
}
