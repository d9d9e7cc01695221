import type { V03RequestKind, V03ValueKind } from '../legacy/v03-codec.ts';
import { asObject, isObject, type JsonObject } from '../basics/json.ts';

/*
 * The messages of the package `a2a.v1`, the protobuf of A2A 0.3: between the objects of the SDK's binary codecs and ProtoJSON,
 * for which the SDK exports no codec.
 */

interface ProtoType {
  toJson(value: unknown): unknown;
  /** Undefined becomes the default of the type. */
  fromJson(json: unknown): unknown;
}

/** A field of which one of several is set. The SDK keeps it as `{ $case, value }`; ProtoJSON names the one that is set. */
interface Choice {
  readonly cases: Readonly<Record<string, ProtoType>>;
}

/** Fields whose ProtoJSON name differs from the SDK's. */
const JSON_NAMES: Readonly<Record<string, string>> = {
  update: 'message',
  msg: 'message',
  request: 'message',
};

function jsonName(name: string): string {
  return JSON_NAMES[name] ?? name;
}

function scalar(byDefault: string | number | boolean): ProtoType {
  return { toJson: (value) => value, fromJson: (json) => json ?? byDefault };
}

const text = scalar('');
const number = scalar(0);
const flag = scalar(false);
/** Structs and timestamps, which are the same in both. */
const same: ProtoType = { toJson: (value) => value, fromJson: (json) => json };
const bytes: ProtoType = {
  toJson: (value) => Buffer.from(value as Uint8Array).toString('base64'),
  fromJson: (json) => Buffer.from(String(json), 'base64'),
};

function enumOf(...names: readonly string[]): ProtoType {
  return {
    toJson: (value) => names[Number(value)],
    fromJson: (json) => Math.max(0, names.indexOf(String(json))),
  };
}

function listOf(type: ProtoType): ProtoType {
  return {
    toJson: (list) => (list as unknown[]).map((item) => type.toJson(item)),
    fromJson: (json) => (Array.isArray(json) ? json.map((item) => type.fromJson(item)) : []),
  };
}

function mapOf(type: ProtoType): ProtoType {
  return {
    toJson: (map) => mapValues(map, (value) => type.toJson(value)),
    fromJson: (json) => mapValues(json, (value) => type.fromJson(value)),
  };
}

function mapValues(map: unknown, convert: (value: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(asObject(map)).map(([key, value]) => [key, convert(value)]));
}

function oneOf(cases: Readonly<Record<string, ProtoType>>): Choice {
  return { cases };
}

function message(fields: Readonly<Record<string, ProtoType | Choice>>): ProtoType {
  return {
    toJson: (value) => {
      if (!isObject(value)) return undefined;
      const json: JsonObject = {};
      for (const [name, type] of Object.entries(fields)) {
        const field = value[name];
        if ('cases' in type) {
          if (isChosen(field)) json[jsonName(field.$case)] = type.cases[field.$case]?.toJson(field.value);
        } else if (!isEmpty(field)) json[jsonName(name)] = type.toJson(field);
      }
      return json;
    },
    fromJson: (json) => {
      if (!isObject(json)) return undefined;
      const entries = Object.entries(fields).map(([name, type]): [string, unknown] => [
        name,
        'cases' in type ? chosenIn(json, type) : type.fromJson(json[jsonName(name)]),
      ]);
      return Object.fromEntries(entries);
    },
  };
}

/** ProtoJSON omits empty texts and lists. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

function isChosen(value: unknown): value is { $case: string; value: unknown } {
  return isObject(value) && typeof value['$case'] === 'string';
}

function chosenIn(json: JsonObject, { cases }: Choice): { $case: string; value: unknown } | undefined {
  const found = Object.entries(cases).find(([name]) => json[jsonName(name)] !== undefined);
  return found && { $case: found[0], value: found[1].fromJson(json[jsonName(found[0])]) };
}

const part = message({
  part: oneOf({
    text,
    file: message({ file: oneOf({ fileWithUri: text, fileWithBytes: bytes }), mimeType: text }),
    data: message({ data: same }),
  }),
});
const chatMessage = message({
  messageId: text,
  contextId: text,
  taskId: text,
  role: enumOf('ROLE_UNSPECIFIED', 'ROLE_USER', 'ROLE_AGENT'),
  content: listOf(part),
  metadata: same,
  extensions: listOf(text),
});
const artifact = message({
  artifactId: text,
  name: text,
  description: text,
  parts: listOf(part),
  metadata: same,
  extensions: listOf(text),
});
const status = message({
  state: enumOf(
    'TASK_STATE_UNSPECIFIED',
    'TASK_STATE_SUBMITTED',
    'TASK_STATE_WORKING',
    'TASK_STATE_COMPLETED',
    'TASK_STATE_FAILED',
    'TASK_STATE_CANCELLED',
    'TASK_STATE_INPUT_REQUIRED',
    'TASK_STATE_REJECTED',
    'TASK_STATE_AUTH_REQUIRED',
  ),
  update: chatMessage,
  timestamp: same,
});
const task = message({
  id: text,
  contextId: text,
  status,
  artifacts: listOf(artifact),
  history: listOf(chatMessage),
  metadata: same,
});
const ids = { taskId: text, contextId: text };
const statusUpdate = message({ ...ids, status, final: flag, metadata: same });
const artifactUpdate = message({ ...ids, artifact, append: flag, lastChunk: flag, metadata: same });
const pushConfig = message({
  id: text,
  url: text,
  token: text,
  authentication: message({ schemes: listOf(text), credentials: text }),
});
const taskPushConfig = message({ name: text, pushNotificationConfig: pushConfig });
const security = listOf(message({ schemes: mapOf(message({ list: listOf(text) })) }));
const scopes = mapOf(text);
const urls = { authorizationUrl: text, tokenUrl: text, refreshUrl: text };
const flow = message({ ...urls, scopes });
const flows = message({
  flow: oneOf({ authorizationCode: flow, clientCredentials: flow, implicit: flow, password: flow }),
});
const securityScheme = message({
  scheme: oneOf({
    apiKeySecurityScheme: message({ description: text, location: text, name: text }),
    httpAuthSecurityScheme: message({ description: text, scheme: text, bearerFormat: text }),
    oauth2SecurityScheme: message({ description: text, flows, oauth2MetadataUrl: text }),
    openIdConnectSecurityScheme: message({ description: text, openIdConnectUrl: text }),
    mtlsSecurityScheme: message({ description: text }),
  }),
});
const card = message({
  protocolVersion: text,
  name: text,
  description: text,
  url: text,
  preferredTransport: text,
  additionalInterfaces: listOf(message({ url: text, transport: text })),
  provider: message({ url: text, organization: text }),
  version: text,
  documentationUrl: text,
  capabilities: message({
    streaming: flag,
    pushNotifications: flag,
    extensions: listOf(message({ uri: text, description: text, required: flag, params: same })),
  }),
  securitySchemes: mapOf(securityScheme),
  security,
  defaultInputModes: listOf(text),
  defaultOutputModes: listOf(text),
  skills: listOf(
    message({
      id: text,
      name: text,
      description: text,
      tags: listOf(text),
      examples: listOf(text),
      inputModes: listOf(text),
      outputModes: listOf(text),
      security,
    }),
  ),
  supportsAuthenticatedExtendedCard: flag,
  signatures: listOf(message({ protected: text, signature: text, header: same })),
});

/** The messages of requests. Those of one kind have their fields in common. */
export const V03_REQUEST_MESSAGES: Readonly<Record<V03RequestKind, ProtoType>> = {
  send: message({
    request: chatMessage,
    configuration: message({
      acceptedOutputModes: listOf(text),
      pushNotification: pushConfig,
      historyLength: number,
      blocking: flag,
    }),
    metadata: same,
  }),
  task: message({ name: text, historyLength: number }),
  pushConfig: message({ parent: text, configId: text, config: taskPushConfig }),
  pushConfigKey: message({ name: text, parent: text, pageSize: number, pageToken: text }),
  card: message({}),
};

/** The messages of responses. */
export const V03_VALUE_MESSAGES: Readonly<Record<V03ValueKind, ProtoType>> = {
  task,
  sendResponse: message({ payload: oneOf({ task, msg: chatMessage }) }),
  events: message({ payload: oneOf({ task, msg: chatMessage, statusUpdate, artifactUpdate }) }),
  pushConfig: taskPushConfig,
  pushConfigPage: message({ configs: listOf(taskPushConfig), nextPageToken: text }),
  card,
  nothing: message({}),
};
