import { invalidFields } from '../decode-request.ts';
import { A2AError } from '../errors/a2a-error.ts';
import { ALLOWED_VERBS_METADATA } from '../errors/http-error.ts';
import type { OperationName } from '../operation-table.ts';
import { REST_ROUTES } from './route-table.ts';

export interface RestMatch {
  operation: OperationName;
  /** Fields of the request that the path gives, among them the tenant. */
  fields: Record<string, string>;
}

const ROUTES = REST_ROUTES.map(({ path, operations }) => ({
  pattern: new RegExp(`^/${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  operations: new Map(Object.entries(operations)),
}));
const TENANT = /^\/(?<tenant>[^/]+)(?<rest>\/.+)$/;

/** Finds the operation behind a verb and a path below the mount, for example `/tasks/t-1:cancel`. */
export function matchRestRoute(verb: string, path: string): RestMatch {
  const match = matchPath(path) ?? matchTenantPath(path);
  if (match === undefined) {
    throw new A2AError('METHOD_NOT_FOUND', `A2A 1.0 has no path ${shorten(path)}.`);
  }
  const operation = match.operations.get(verb);
  if (operation === undefined) {
    const allowed = [...match.operations.keys()].join(', ');
    throw new A2AError('METHOD_NOT_FOUND', `${shorten(path)} does not answer to ${verb}. Use ${allowed}.`, {
      metadata: { [ALLOWED_VERBS_METADATA]: allowed },
    });
  }
  return { operation, fields: decodeFields(match.fields) };
}

interface PathMatch {
  operations: ReadonlyMap<string, OperationName>;
  fields: Record<string, string>;
}

function matchPath(path: string): PathMatch | undefined {
  for (const { pattern, operations } of ROUTES) {
    const result = pattern.exec(path);
    if (result !== null) return { operations, fields: result.groups ?? {} };
  }
  return undefined;
}

function matchTenantPath(path: string): PathMatch | undefined {
  const groups = TENANT.exec(path)?.groups;
  if (groups === undefined) return undefined;
  const match = matchPath(groups['rest'] ?? '');
  return match && { ...match, fields: { ...match.fields, tenant: groups['tenant'] ?? '' } };
}

function decodeFields(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([field, text]) => [field, decodeField(field, text)]));
}

function decodeField(field: string, text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalidFields([{ field, description: `expected percent-encoded UTF-8, found ${shorten(text)}` }]);
  }
}

function shorten(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}
