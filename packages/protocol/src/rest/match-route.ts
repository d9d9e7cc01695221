import { invalidFields } from '../decode-request.ts';
import { A2AError } from '../errors/a2a-error.ts';
import { ALLOWED_VERBS_METADATA } from '../errors/http-error.ts';
import type { OperationName } from '../operation-table.ts';
import type { ProtocolVersion } from '../version.ts';
import { LEGACY_REST_ROUTES, REST_ROUTES, type RestRoute } from './route-table.ts';

export interface RestMatch {
  operation: OperationName;
  /** Fields of the request that are part of the path, including the tenant. */
  fields: Record<string, string>;
}

interface Route {
  readonly pattern: RegExp;
  readonly operations: ReadonlyMap<string, OperationName>;
}

const ROUTES: Record<ProtocolVersion, readonly Route[]> = {
  '1.0': REST_ROUTES.map(compileRoute),
  '0.3': LEGACY_REST_ROUTES.map(compileRoute),
};
const TENANT = /^\/(?<tenant>[^/]+)(?<rest>\/.+)$/;

export interface RestMatchOptions {
  version?: ProtocolVersion;
  /** The whole path, for error messages: a caller does not know where the binding is mounted. */
  fullPath?: string;
}

/** Finds the operation for a verb and a path below the mount of its version, for example `/tasks/t-1:cancel`. */
export function matchRestRoute(
  verb: string,
  path: string,
  { version = '1.0', fullPath = path }: RestMatchOptions = {},
): RestMatch {
  const match = matchPath(path, version) ?? (version === '1.0' ? matchTenantPath(path) : undefined);
  if (match === undefined) {
    const advice = version === '0.3' ? ' For A2A 1.0, omit /v1 and send A2A-Version: 1.0.' : '';
    throw new A2AError('METHOD_NOT_FOUND', `A2A ${version} has no path ${shorten(fullPath)}.${advice}`);
  }
  const operation = match.operations.get(verb);
  if (operation === undefined) {
    const allowed = [...match.operations.keys()].join(', ');
    throw new A2AError('METHOD_NOT_FOUND', `${shorten(fullPath)} does not support ${verb}. Use ${allowed}.`, {
      metadata: { [ALLOWED_VERBS_METADATA]: allowed },
    });
  }
  return { operation, fields: decodeFields(match.fields) };
}

function compileRoute({ path, operations }: RestRoute): Route {
  return {
    pattern: new RegExp(`^/${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    operations: new Map(Object.entries(operations)),
  };
}

interface PathMatch {
  operations: ReadonlyMap<string, OperationName>;
  fields: Record<string, string>;
}

function matchPath(path: string, version: ProtocolVersion): PathMatch | undefined {
  for (const { pattern, operations } of ROUTES[version]) {
    const result = pattern.exec(path);
    if (result !== null) return { operations, fields: result.groups ?? {} };
  }
  return undefined;
}

function matchTenantPath(path: string): PathMatch | undefined {
  const groups = TENANT.exec(path)?.groups;
  if (groups === undefined) return undefined;
  const match = matchPath(groups['rest'] ?? '', '1.0');
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
  return JSON.stringify(text.slice(0, 200));
}
