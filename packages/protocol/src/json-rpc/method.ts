import { A2AError } from '../errors/a2a-error.ts';
import { OPERATION_NAMES, OPERATION_TABLE, type OperationName } from '../operation-table.ts';
import { VERSION_PARAMETER, type ProtocolVersion } from '../version.ts';

const METHODS: Record<ProtocolVersion, Map<string, OperationName>> = { '1.0': new Map(), '0.3': new Map() };
for (const name of OPERATION_NAMES) {
  const entry = OPERATION_TABLE[name];
  METHODS['1.0'].set(entry.method, name);
  if ('legacyMethod' in entry) METHODS['0.3'].set(entry.legacyMethod, name);
}

export function isLegacyMethod(method: string): boolean {
  return METHODS['0.3'].has(method);
}

/**
 * Finds the operation for a method name. A method of the other version is a common mistake, because a client without a
 * version header speaks 0.3: the error says which header to send.
 */
export function resolveMethod(method: string, version: ProtocolVersion): OperationName {
  const operation = METHODS[version].get(method);
  if (operation !== undefined) return operation;

  const other = version === '1.0' ? '0.3' : '1.0';
  const advice = METHODS[other].has(method)
    ? `It is a method of A2A ${other}: send the header ${VERSION_PARAMETER}: ${other}.`
    : `Known methods: ${[...METHODS[version].keys()].join(', ')}.`;
  throw new A2AError(
    'METHOD_NOT_FOUND',
    `A2A ${version} has no method ${JSON.stringify(method.slice(0, 80))}. ${advice}`,
  );
}
