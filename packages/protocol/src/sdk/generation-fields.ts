import { asObject, type JsonObject } from '../basics/json.ts';
import { OPERATIONS, type OperationName, type ValueKind } from '../operations.ts';
import { appendInside, int64Field, readInt64, readMessages } from './proto-fields.ts';

/*
 * What A2A 1.1 adds to the messages of 1.0, in the binary form of gRPC: the SDK's messages do not have these fields. Remove
 * this file when they do.
 */

/** The number of `generation` in each message that has it. */
const GENERATION = { task: 7, statusUpdate: 5, artifactUpdate: 7 } as const;
/** Where a response, or an event of a stream, has one of those messages. */
const PAYLOADS = [
  ['task', 1],
  ['statusUpdate', 3],
  ['artifactUpdate', 4],
] as const;
const PAGE_TASKS = 1;
const CURRENT_GENERATION = 4;
const CONFIGURATION = 3;
const IF_GENERATION_MATCH = 5;

/** The messages of a procedure, from and to JSON. */
export interface MessageCodecs {
  readonly encodeRequest: (request: JsonObject) => Buffer;
  readonly decodeRequest: (bytes: Buffer) => unknown;
  readonly encodeResponse: (value: unknown) => Buffer;
  readonly decodeResponse: (bytes: Buffer) => unknown;
}

/** The messages of 1.0 with the generations of 1.1. */
export function withGenerations<Codecs extends MessageCodecs>(
  operation: OperationName,
  codecs: Codecs,
): Codecs {
  const { response, requestKind } = OPERATIONS[operation];
  const request = operation === 'getTask' ? GET_REQUEST : requestKind === 'send' ? SEND_REQUEST : undefined;
  const value = VALUES[response];
  const { encodeRequest, decodeRequest, encodeResponse, decodeResponse } = codecs;
  const added: Partial<MessageCodecs> = {
    ...(request && {
      encodeRequest: (json) => Buffer.from(request.encode(encodeRequest(json), json)),
      decodeRequest: (bytes) => request.decode(bytes, asObject(decodeRequest(bytes))),
    }),
    ...(value && {
      encodeResponse: (json) => Buffer.from(value.encode(encodeResponse(json), asObject(json))),
      decodeResponse: (bytes) => value.decode(bytes, asObject(decodeResponse(bytes))),
    }),
  };
  return { ...codecs, ...added };
}

/** Adds to the bytes, or to the JSON, what the SDK left out. */
interface Addition {
  encode(bytes: Uint8Array, json: JsonObject): Uint8Array;
  decode(bytes: Uint8Array, json: JsonObject): JsonObject;
}

const GET_REQUEST: Addition = {
  encode: (bytes, json) =>
    Buffer.concat([bytes, optionalField(CURRENT_GENERATION, json['currentGeneration'])]),
  decode: (bytes, json) => withField(json, 'currentGeneration', readInt64(bytes, CURRENT_GENERATION)),
};

const SEND_REQUEST: Addition = {
  encode: (bytes, json) => {
    const { ifGenerationMatch } = asObject(json['configuration']);
    if (ifGenerationMatch === undefined) return bytes;
    return appendInside(bytes, CONFIGURATION, [optionalField(IF_GENERATION_MATCH, ifGenerationMatch)]);
  },
  decode: (bytes, json) => {
    // A field that occurs twice is one message, whose last value counts.
    const configuration = Buffer.concat(readMessages(bytes, CONFIGURATION));
    const match = readInt64(configuration, IF_GENERATION_MATCH);
    if (match === undefined) return json;
    const fields = asObject(json['configuration']);
    return { ...json, configuration: { ...fields, ifGenerationMatch: match } };
  },
};

const TASK: Addition = {
  encode: (bytes, json) => Buffer.concat([bytes, optionalField(GENERATION.task, json['generation'])]),
  decode: (bytes, json) => withField(json, 'generation', readInt64(bytes, GENERATION.task)),
};

const PAYLOAD: Addition = {
  encode: (bytes, json) => {
    const [name, field] = PAYLOADS.find(([each]) => json[each] !== undefined) ?? [];
    if (name === undefined) return bytes;
    const { generation } = asObject(json[name]);
    return appendInside(bytes, field, [optionalField(GENERATION[name], generation)]);
  },
  decode: (bytes, json) => {
    const [name, field] = PAYLOADS.find(([each]) => json[each] !== undefined) ?? [];
    if (name === undefined) return json;
    const generation = readInt64(Buffer.concat(readMessages(bytes, field)), GENERATION[name]);
    return { ...json, [name]: withField(asObject(json[name]), 'generation', generation) };
  },
};

const PAGE: Addition = {
  encode: (bytes, json) =>
    appendInside(
      bytes,
      PAGE_TASKS,
      listOf(json['tasks']).map((task) => optionalField(GENERATION.task, task['generation'])),
    ),
  decode: (bytes, json) => {
    const tasks = readMessages(bytes, PAGE_TASKS);
    return {
      ...json,
      tasks: listOf(json['tasks']).map((task, index) => TASK.decode(tasks[index] ?? NOTHING, task)),
    };
  },
};

const VALUES: { readonly [Kind in ValueKind]?: Addition } = {
  task: TASK,
  sendResponse: PAYLOAD,
  events: PAYLOAD,
  taskPage: PAGE,
};

const NOTHING = new Uint8Array();

function optionalField(field: number, value: unknown): Uint8Array {
  return typeof value === 'string' || typeof value === 'number' ? int64Field(field, value) : NOTHING;
}

function withField(json: JsonObject, name: string, value: string | undefined): JsonObject {
  return value === undefined ? json : { ...json, [name]: value };
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(asObject) : [];
}
