import { z } from 'zod';
import { fieldNamed, unknownField } from './proto-json.ts';
import { shorten } from './basics/shorten.ts';
import { invalidFields } from './decode-request.ts';
import { describeValue } from './describe-issues.ts';
import { A2AError, type FieldViolation } from './errors/a2a-error.ts';
import { ALLOWED_VERBS_METADATA } from './errors/encode-error.ts';
import { isObject, type JsonObject } from './basics/json.ts';
import {
  decodeOperation,
  OPERATION_NAMES,
  OPERATIONS,
  type DecodedOperation,
  type OperationName,
  type RestRoute,
  type RestVerb,
} from './operations.ts';
import type { ProtocolVersion } from './version.ts';

/*
 * The HTTP+JSON binding: which operation a verb and a path mean, and its request from path, query and body; for clients, the
 * opposite. Its routes are those of the operations.
 */

export interface RestMatch {
  operation: OperationName;
  verb: RestVerb;
  /** Fields of the request that are part of the path, including the tenant. */
  fields: Record<string, string>;
}

/** The route of an operation in a version; undefined if the version lacks the operation. */
export function restRouteOf(operation: OperationName, version: ProtocolVersion): RestRoute | undefined {
  const { rest, v03 } = OPERATIONS[operation];
  return version === '0.3' ? v03 && (v03.rest ?? rest) : rest;
}

/** A path with its operations, by verb. */
interface Resource {
  readonly pattern: RegExp;
  readonly operations: ReadonlyMap<RestVerb, OperationName>;
}

const CURRENT_RESOURCES = resourcesOf('1.0');
const RESOURCES: Record<ProtocolVersion, readonly Resource[]> = {
  '1.0': CURRENT_RESOURCES,
  '1.1': CURRENT_RESOURCES,
  '0.3': resourcesOf('0.3'),
};

/** Longer paths first: `tasks/{id}` would match those with a suffix as well. */
function resourcesOf(version: ProtocolVersion): Resource[] {
  const routes = OPERATION_NAMES.flatMap((operation) => {
    const route = restRouteOf(operation, version);
    return route === undefined ? [] : [{ ...route, operation }];
  });
  const paths = [...new Set(routes.map(({ path }) => path))].toSorted(
    (left, right) => right.length - left.length,
  );
  return paths.map((path) => ({
    pattern: new RegExp(`^/${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    operations: new Map(
      (['GET', 'POST', 'DELETE'] as const).flatMap((verb): [RestVerb, OperationName][] =>
        routes
          .filter((route) => route.path === path && route.verbs.includes(verb))
          .map(({ operation }) => [verb, operation]),
      ),
    ),
  }));
}

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
  const match = matchPath(path, version) ?? (version === '0.3' ? undefined : matchTenantPath(path));
  if (match === undefined) {
    const advice = version === '0.3' ? ' For A2A 1.0, omit /v1 and send A2A-Version: 1.0.' : '';
    throw new A2AError('METHOD_NOT_FOUND', `A2A ${version} has no path ${quote(fullPath)}.${advice}`);
  }
  const found = [...match.operations].find(([supported]) => supported === verb);
  if (found === undefined) {
    const allowed = [...match.operations.keys()].join(', ');
    throw new A2AError('METHOD_NOT_FOUND', `${quote(fullPath)} does not support ${verb}. Use ${allowed}.`, {
      metadata: { [ALLOWED_VERBS_METADATA]: allowed },
    });
  }
  return { verb: found[0], operation: found[1], fields: decodeFields(match.fields) };
}

interface PathMatch {
  operations: ReadonlyMap<RestVerb, OperationName>;
  fields: Record<string, string>;
}

function matchPath(path: string, version: ProtocolVersion): PathMatch | undefined {
  for (const { pattern, operations } of RESOURCES[version]) {
    const result = pattern.exec(path);
    if (result !== null) return { operations, fields: result.groups ?? {} };
  }
  return undefined;
}

const TENANT = /^\/(?<tenant>[^/]+)(?<rest>\/.+)$/;

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
    throw invalidFields([{ field, description: `expected percent-encoded UTF-8, found ${quote(text)}` }]);
  }
}

function quote(text: string): string {
  return JSON.stringify(shorten(text, 200));
}

/**
 * Decodes a request of the HTTP+JSON binding of 1.0. `body` is the text of a POST request, or empty; the query is used for
 * requests without a body.
 */
export function decodeRestRequest(match: RestMatch, query: URLSearchParams, body: string): DecodedOperation {
  const given = body === '' ? decodeQuery(match, query) : parseRestBody(body);
  if (!isObject(given)) throw new A2AError('INVALID_PARAMS', 'The request body must be a JSON object.');
  return decodeOperation(match.operation, withPathFields(match.fields, given));
}

export function parseRestBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new A2AError('PARSE_ERROR', 'The request body is not valid JSON.');
  }
}

/** The path identifies the resource; a body that identifies a different one is rejected. */
function withPathFields(pathFields: Record<string, string>, given: JsonObject): JsonObject {
  const violations: FieldViolation[] = [];
  for (const [field, inPath] of Object.entries(pathFields)) {
    const inBody = given[field];
    if (inBody === undefined || inBody === null || inBody === '' || inBody === inPath) continue;
    violations.push({
      field,
      description: `expected ${JSON.stringify(inPath)} as in the path, found ${describeValue(inBody)}`,
    });
  }
  if (violations.length > 0) throw invalidFields(violations);
  return { ...given, ...pathFields };
}

/** What a query parameter can be: fields of other types do not fit into a query. */
const PARAMETER_TYPES = {
  string: { expected: 'value', decode: (text: string) => text },
  enum: {
    expected: 'value',
    decode: (text: string) => (/^\d{1,3}$/.test(text) ? Number(text) : text),
  },
  number: {
    expected: 'integer',
    decode: (text: string) => (/^-?\d+$/.test(text) ? Number(text) : undefined),
  },
  boolean: {
    expected: 'boolean, true or false',
    decode: (text: string) => text === 'true' || (text === 'false' ? false : undefined),
  },
};
type ParameterType = (typeof PARAMETER_TYPES)[keyof typeof PARAMETER_TYPES];

/** Decodes the fields of a request that are not in its path from a query. Empty parameters are ignored. */
function decodeQuery({ operation, verb, fields: pathFields }: RestMatch, query: URLSearchParams): JsonObject {
  const { request, unknownFields = 'ignore' } = OPERATIONS[operation];
  const fields: JsonObject = {};
  const violations: FieldViolation[] = [];
  for (const given of new Set(query.keys())) {
    const values = query.getAll(given).filter((value) => value !== '');
    const [text] = values;
    // Service parameters may be in the query too.
    if (text === undefined || /^(a2a-|last-event-id$)/i.test(given)) continue;
    const field = fieldNamed(given, request.shape);
    // The fields of a POST are in its body, except for the tenant, which a client may add to any URL.
    if (verb === 'POST' && field !== 'tenant') continue;
    const schema = field === undefined ? undefined : request.shape[field];
    if (field === undefined || schema === undefined) {
      const description = unknownField(given, request.shape, unknownFields);
      if (description !== undefined) violations.push({ field: shorten(given, 60), description });
      continue;
    }
    const type = parameterType(schema);
    if (type === undefined || field in pathFields) continue;
    const value = values.length === 1 ? type.decode(text) : undefined;
    if (value === undefined) {
      const found = values.map((each) => JSON.stringify(shorten(each, 60))).join(' and ');
      violations.push({ field, description: `expected one ${type.expected}, found ${found}` });
    }
    fields[given] = value;
  }
  if (violations.length > 0) throw invalidFields(violations);
  return fields;
}

function parameterType(schema: z.core.$ZodType): ParameterType | undefined {
  const field = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  const { type } = (field as z.ZodType).def;
  return type in PARAMETER_TYPES ? PARAMETER_TYPES[type as keyof typeof PARAMETER_TYPES] : undefined;
}

/** A request as a client of the HTTP+JSON binding sends it. */
export interface RestRequest {
  verb: RestVerb;
  /** Relative to the base URL, including the query. */
  path: string;
  /** The body of a POST request; undefined for other verbs. */
  body?: unknown;
}

/** Encodes a request for a route; fields that are not in the path go into the body of a POST, or into the query. */
export function encodeRestRequest(
  { verbs: [verb = 'POST'], path }: RestRoute,
  { tenant, ...fields }: JsonObject,
): RestRequest {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(fields[name]);
    delete fields[name];
    return encodeURIComponent(value);
  });
  const prefix = typeof tenant === 'string' && tenant !== '' ? `/${encodeURIComponent(tenant)}` : '';
  if (verb === 'POST') return { verb, path: `${prefix}/${filled}`, body: fields };
  return { verb, path: `${prefix}/${filled}${encodeQuery(fields)}` };
}

function encodeQuery(fields: JsonObject): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      query.set(name, String(value));
    }
  }
  return query.size === 0 ? '' : `?${query.toString()}`;
}
