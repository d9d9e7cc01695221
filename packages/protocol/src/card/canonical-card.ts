import type { JsonObject } from '../basics/json.ts';

/**
 * Which fields of a message are omitted at their default value (spec 8.4.1): those that a2a.proto marks neither REQUIRED nor
 * `optional`. `messages` describes the fields that are messages themselves. Fields in neither list are kept, so a card of a
 * later version keeps its unknown fields.
 */
interface MessageShape {
  readonly defaults?: readonly string[];
  readonly messages?: Readonly<Record<string, FieldShape>>;
}
type FieldShape =
  { readonly one: MessageShape } | { readonly list: MessageShape } | { readonly map: MessageShape };

const requirement: MessageShape = {
  defaults: ['schemes'],
  messages: { schemes: { map: { defaults: ['list'] } } },
};
const flow: MessageShape = { defaults: ['refreshUrl', 'pkceRequired'] };
const looseFlow: MessageShape = { defaults: ['authorizationUrl', 'tokenUrl', 'refreshUrl', 'scopes'] };
const flows: MessageShape = {
  messages: {
    authorizationCode: { one: flow },
    clientCredentials: { one: flow },
    deviceCode: { one: flow },
    implicit: { one: looseFlow },
    password: { one: looseFlow },
  },
};
const scheme: MessageShape = {
  messages: {
    apiKeySecurityScheme: { one: { defaults: ['description'] } },
    httpAuthSecurityScheme: { one: { defaults: ['description', 'bearerFormat'] } },
    oauth2SecurityScheme: {
      one: { defaults: ['description', 'oauth2MetadataUrl'], messages: { flows: { one: flows } } },
    },
    openIdConnectSecurityScheme: { one: { defaults: ['description'] } },
    mtlsSecurityScheme: { one: { defaults: ['description'] } },
  },
};
const skill: MessageShape = {
  defaults: ['examples', 'inputModes', 'outputModes', 'securityRequirements'],
  messages: { securityRequirements: { list: requirement } },
};
const capabilities: MessageShape = {
  defaults: ['extensions'],
  messages: { extensions: { list: { defaults: ['uri', 'description', 'required'] } } },
};
const card: MessageShape = {
  defaults: ['securitySchemes', 'securityRequirements'],
  messages: {
    supportedInterfaces: { list: { defaults: ['tenant'] } },
    capabilities: { one: capabilities },
    securitySchemes: { map: scheme },
    securityRequirements: { list: requirement },
    skills: { list: skill },
  },
};

/** The text covered by a signature of a card: RFC 8785 over the card without its signatures. */
export function canonicalizeCard(agentCard: object): string {
  return canonicalJson(pruneCard(agentCard));
}

/** The card without signatures and without fields at their default value. */
export function pruneCard(agentCard: object): JsonObject {
  const { signatures: _, ...rest } = prune(agentCard, card);
  return rest;
}

function prune(message: object, shape: MessageShape): JsonObject {
  const kept: JsonObject = {};
  for (const [field, value] of Object.entries(message)) {
    if (value === undefined || value === null) continue;
    if (shape.defaults?.includes(field) === true && isDefault(value)) continue;
    kept[field] = pruneField(value, shape.messages?.[field]);
  }
  return kept;
}

function pruneField(value: unknown, shape: FieldShape | undefined): unknown {
  if (shape === undefined || !isObject(value)) return value;
  if ('one' in shape) return prune(value, shape.one);
  const pruneElement = (element: unknown): unknown => {
    const message = 'list' in shape ? shape.list : shape.map;
    return isObject(element) ? prune(element, message) : element;
  };
  if (Array.isArray(value)) return value.map(pruneElement);
  return Object.fromEntries(Object.entries(value).map(([key, element]) => [key, pruneElement(element)]));
}

function isDefault(value: unknown): boolean {
  if (value === '' || value === false) return true;
  return isObject(value) && Object.keys(value).length === 0;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/**
 * Serializes a value with RFC 8785, the JSON Canonicalization Scheme. The RFC defines numbers and strings as JSON.stringify
 * writes them, and sorts names by UTF-16 code units, which is how `<` compares.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) throw new TypeError('Canonical JSON cannot contain lone surrogates.');
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`Canonical JSON cannot represent ${value}.`);
      return JSON.stringify(value);
    case 'boolean':
      return String(value);
    case 'object':
      return value === null ? 'null' : canonicalObject(value);
    case 'bigint':
    case 'function':
    case 'symbol':
    case 'undefined':
    default:
      throw new TypeError(`Canonical JSON cannot represent a value of type ${typeof value}.`);
  }
}

function canonicalObject(object: object): string {
  const members = Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => `${canonicalJson(name)}:${canonicalJson(value)}`);
  return `{${members.join(',')}}`;
}
