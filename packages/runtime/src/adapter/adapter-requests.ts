import type {
  JsonObject,
  Message,
  ProtocolVersion,
  SendMessageRequest,
  TaskPushNotificationConfig,
} from '@holdword/protocol';
import {
  decodeRequest,
  describeValue,
  invalidFields,
  isObject,
  nearestName,
  sendMessageRequestSchema,
  taskPushNotificationConfigSchema,
  V03_JSON,
  v03PartToCore,
} from '@holdword/protocol/internal';
import { toCamelCase } from '../agents/agent-options.ts';
import { newId } from '../ids-and-times.ts';
import type { PushTarget } from '../push/push-targets.ts';

/*
 * Converts what a program passes to an adapter to requests of A2A 1.0. Programs that were written for A2A 0.3, or for
 * Python, are understood: each name and form of 0.3 is converted, wherever it stands, and so are names with underscores.
 * Nothing is dropped: a name that neither version has is an error.
 */

/** A message to an agent: a text, or the parameters of A2A's SendMessage. Role and id of the message are optional. */
export type SendParameters =
  | string
  | (Omit<SendMessageRequest, 'message'> & {
      message: Omit<Message, 'role' | 'messageId'> & Partial<Pick<Message, 'role' | 'messageId'>>;
    })
  | LegacySendParameters;

/** The parameters of `message/send` in A2A 0.3. */
export interface LegacySendParameters {
  message: {
    kind?: 'message';
    role?: 'user';
    messageId?: string;
    contextId?: string;
    taskId?: string;
    parts: readonly LegacyPart[];
    metadata?: JsonObject;
    referenceTaskIds?: string[];
    extensions?: string[];
  };
  configuration?: {
    acceptedOutputModes?: string[];
    blocking?: boolean;
    historyLength?: number;
    pushNotificationConfig?: LegacyPushNotificationConfig;
  };
  metadata?: JsonObject;
}

/** A part of a message in A2A 0.3. */
export type LegacyPart =
  | { kind: 'text'; text: string; metadata?: JsonObject }
  | { kind: 'data'; data: JsonObject; metadata?: JsonObject }
  | {
      kind: 'file';
      file: { bytes?: string; uri?: string; mimeType?: string; name?: string };
      metadata?: JsonObject;
    };

/** A webhook in A2A 0.3, which has a list of authentication schemes. */
export interface LegacyPushNotificationConfig {
  id?: string;
  url: string;
  token?: string;
  authentication?: { schemes: string[]; credentials?: string };
}

/** The webhook for the events of a task. A `token` without `authentication` is also sent as bearer token. */
export type PushNotificationConfig = Omit<TaskPushNotificationConfig, 'taskId' | 'tenant'> & {
  /**
   * The version of A2A that notifications are written in: 1.0 and 1.1 as `application/a2a+json`, 0.3 as `application/json`.
   *
   * @default '1.0'
   */
  version?: ProtocolVersion;
};

interface SendDefaults {
  /** The context of messages that name neither a context nor a task. */
  readonly contextId: string | undefined;
  readonly returnImmediately: boolean;
}

/** A request, and the version of A2A in which its sender wants notifications. */
export interface VersionedRequest<Request> {
  readonly request: Request;
  readonly version: ProtocolVersion;
}

const REQUEST_NAMES = Object.keys(sendMessageRequestSchema.shape);
const MESSAGE_NAMES = ['kind', ...Object.keys(sendMessageRequestSchema.shape.message.shape)];
const CONFIGURATION_NAMES = [
  // Its tasks have no generations: it speaks 1.0.
  ...Object.keys(sendMessageRequestSchema.shape.configuration.unwrap().shape).filter(
    (name) => name !== 'ifGenerationMatch',
  ),
  'blocking',
  'pushNotificationConfig',
];
const PUSH_NAMES = ['version', ...Object.keys(taskPushNotificationConfigSchema.shape)];

/**
 * Converts the parameters of `handle` to a request.
 *
 * @throws A2AError INVALID_PARAMS for what A2A rejects, and for a name that it does not have.
 */
export function sendRequest(
  parameters: unknown,
  defaults: SendDefaults,
): VersionedRequest<SendMessageRequest> {
  const given = typeof parameters === 'string' ? { message: { parts: [{ text: parameters }] } } : parameters;
  if (!isObject(given)) {
    const description = `expected a text, or an object with a message, found ${describeValue(given)}`;
    throw invalidFields([{ field: '', description }]);
  }
  const { message, configuration, ...rest } = fieldsOf(given, '', REQUEST_NAMES);
  const configured = isObject(configuration)
    ? configurationOf(configuration)
    : { request: configuration ?? {}, version: '1.0' as const };
  const request = decodeRequest(sendMessageRequestSchema, {
    ...rest,
    message: isObject(message) ? messageOf(message, defaults.contextId) : message,
    configuration: isObject(configured.request)
      ? { returnImmediately: defaults.returnImmediately, ...configured.request }
      : configured.request,
  });
  return { request, version: configured.version };
}

function messageOf(given: JsonObject, defaultContextId: string | undefined): JsonObject {
  const { kind: _, role = 'user', parts, ...message } = fieldsOf(given, 'message', MESSAGE_NAMES);
  if (role === 'agent' || role === 'ROLE_AGENT') {
    const description = `expected 'user', found '${role}': a message to an agent is from its user`;
    throw invalidFields([{ field: 'message.role', description }]);
  }
  const isNew = !message['taskId'] && !message['contextId'];
  return {
    messageId: newId(),
    ...message,
    role: role === 'user' ? 'ROLE_USER' : role,
    parts: Array.isArray(parts) ? parts.map(partOf) : parts,
    ...(isNew && defaultContextId !== undefined && { contextId: defaultContextId }),
  };
}

function partOf(given: unknown): unknown {
  if (!isObject(given)) return given;
  const part = inCamelCase(given);
  if (part['kind'] === undefined) return part;
  const { file } = part;
  return v03PartToCore({ ...part, ...(isObject(file) && { file: inCamelCase(file) }) });
}

function configurationOf(given: JsonObject): VersionedRequest<JsonObject> {
  const fields = fieldsOf(given, 'configuration', CONFIGURATION_NAMES);
  requireOne(fields, 'blocking', 'returnImmediately');
  requireOne(fields, 'pushNotificationConfig', 'taskPushNotificationConfig');
  const { blocking, pushNotificationConfig, taskPushNotificationConfig, ...configuration } = fields;
  const { config, version } = pushConfigOf(pushNotificationConfig ?? taskPushNotificationConfig);
  return {
    request: {
      ...(blocking !== undefined && {
        returnImmediately: typeof blocking === 'boolean' ? !blocking : blocking,
      }),
      ...configuration,
      ...(config !== undefined && { taskPushNotificationConfig: config }),
    },
    version: pushNotificationConfig === undefined ? version : '0.3',
  };
}

/**
 * Converts a push configuration for a task.
 *
 * @throws A2AError INVALID_PARAMS for what A2A rejects, and for a name that it does not have.
 */
export function pushRequest(given: unknown, defaultId: string): VersionedRequest<TaskPushNotificationConfig> {
  const { config, version } = pushConfigOf(given);
  const request = isObject(config) ? { id: defaultId, ...config } : config;
  return { request: decodeRequest(taskPushNotificationConfigSchema, request), version };
}

function pushConfigOf(given: unknown): { config: unknown; version: ProtocolVersion } {
  if (!isObject(given)) return { config: given, version: '1.0' };
  const { version, ...config } = fieldsOf(given, 'push configuration', PUSH_NAMES);
  const { authentication } = config;
  const isLegacy = isObject(authentication) && authentication['schemes'] !== undefined;
  const { pushConfig } = V03_JSON.requests;
  const core = isLegacy ? pushConfig.toCore({ pushNotificationConfig: config }) : config;
  return {
    config: withBearerToken(core as JsonObject),
    version: isLegacy || version === '0.3' ? '0.3' : version === '1.1' ? '1.1' : '1.0',
  };
}

/** Receivers of the Python adapter expect the token there. */
function withBearerToken(config: JsonObject): JsonObject {
  const { token, authentication } = config;
  if (typeof token !== 'string' || token === '' || authentication !== undefined) return config;
  return { ...config, authentication: { scheme: 'Bearer', credentials: token } };
}

/** The configuration as it was set, secrets included: only the program that set it can read it. */
export function configOf(target: PushTarget): PushNotificationConfig {
  const { configId: id, url, token, authentication, version } = target;
  const isOfToken =
    token !== undefined && authentication?.scheme === 'Bearer' && authentication.credentials === token;
  return {
    id,
    url,
    ...(token !== undefined && { token }),
    ...(authentication !== undefined && !isOfToken && { authentication }),
    ...(version !== '1.0' && { version }),
  };
}

/** The fields with their names in camelCase. Rejects a name that is not among the valid ones, or given in two spellings. */
function fieldsOf(given: JsonObject, path: string, valid: readonly string[]): JsonObject {
  const fields: JsonObject = {};
  for (const [spelling, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue;
    const name = toCamelCase(spelling);
    const field = path === '' ? spelling : `${path}.${spelling}`;
    if (!valid.includes(name)) {
      const nearest = nearestName(name, valid);
      const hint =
        nearest === undefined ? `valid fields are ${valid.join(', ')}` : `did you mean "${nearest}"?`;
      throw invalidFields([{ field, description: `unknown field; ${hint}` }]);
    }
    if (Object.hasOwn(fields, name)) {
      throw invalidFields([{ field, description: 'is given in two spellings; remove one of them' }]);
    }
    fields[name] = value;
  }
  return fields;
}

function inCamelCase(given: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [toCamelCase(name), value]));
}

/** Both names are one field, in 0.3 and in 1.0. */
function requireOne(fields: JsonObject, legacy: string, current: string): void {
  if (fields[legacy] === undefined || fields[current] === undefined) return;
  const description = `is ${current} in A2A 0.3, which is given as well; remove one of them`;
  throw invalidFields([{ field: `configuration.${legacy}`, description }]);
}
