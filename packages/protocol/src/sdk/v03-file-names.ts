import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { asObject, isObject, type JsonObject } from '../basics/json.ts';
import type { V03RequestKind, V03ValueKind } from '../legacy/v03-codec.ts';
import { changeInside, readMessages, readText } from './proto-fields.ts';

/*
 * The names of files in the binary form of A2A 0.3. The proto of 0.3.0 has no field for them; it got one afterwards, which the SDKs
 * of Python and Go have, and the messages of this SDK do not. Remove this file when they do.
 */

const FILE_NAME = 4;

/** Where messages lead to files: the ProtoJSON name of a field, its number, and the message in it. */
interface Shape {
  readonly [jsonName: string]: readonly [field: number, shape: Shape | 'file'];
}

const PART: Shape = { file: [2, 'file'] };
const MESSAGE: Shape = { content: [5, PART] };
const ARTIFACT: Shape = { parts: [5, PART] };
const STATUS: Shape = { message: [2, MESSAGE] };
const TASK: Shape = { status: [3, STATUS], artifacts: [4, ARTIFACT], history: [5, MESSAGE] };
const SEND_RESPONSE: Shape = { task: [1, TASK], message: [2, MESSAGE] };
const EVENT: Shape = {
  ...SEND_RESPONSE,
  statusUpdate: [3, { status: [3, STATUS] }],
  artifactUpdate: [4, { artifact: [3, ARTIFACT] }],
};

export const REQUESTS_WITH_FILES: { readonly [Kind in V03RequestKind]?: Shape } = {
  send: { message: [1, MESSAGE] },
};
export const VALUES_WITH_FILES: { readonly [Kind in V03ValueKind]?: Shape } = {
  task: TASK,
  sendResponse: SEND_RESPONSE,
  events: EVENT,
};

/** Adds the names of the files in the JSON to its bytes. */
export function writeFileNames(shape: Shape | undefined, bytes: Buffer, json: unknown): Buffer {
  if (shape === undefined || !hasNames(shape, json)) return bytes;
  return Buffer.from(withNames(shape, bytes, asObject(json)));
}

/** Adds the names of the files in the bytes to their JSON. */
export function readFileNames(shape: Shape | undefined, bytes: Uint8Array, json: unknown): unknown {
  if (shape === undefined || !isObject(json)) return json;
  const named: JsonObject = { ...json };
  for (const [name, [field, inner]] of Object.entries(shape)) {
    const value = named[name];
    if (value === undefined) continue;
    const messages = readMessages(bytes, field);
    const read = (item: unknown, content: Uint8Array | undefined): unknown =>
      content === undefined
        ? item
        : inner === 'file'
          ? readName(content, item)
          : readFileNames(inner, content, item);
    named[name] = Array.isArray(value)
      ? value.map((item, index) => read(item, messages[index]))
      : read(value, messages.at(-1));
  }
  return named;
}

function hasNames(shape: Shape, json: unknown): boolean {
  return Object.entries(shape).some(([name, [, inner]]) =>
    listOf(asObject(json)[name]).some((item) =>
      inner === 'file' ? typeof asObject(item)['name'] === 'string' : hasNames(inner, item),
    ),
  );
}

function withNames(shape: Shape, bytes: Uint8Array, json: JsonObject): Uint8Array {
  return Object.entries(shape).reduce((changed, [name, [field, inner]]) => {
    const items = listOf(json[name]);
    if (items.length === 0) return changed;
    return changeInside(changed, field, (content, index) => {
      const item = asObject(items[index]);
      return inner === 'file' ? withName(content, item['name']) : withNames(inner, content, item);
    });
  }, bytes);
}

function withName(file: Uint8Array, name: unknown): Uint8Array {
  if (typeof name !== 'string' || name === '') return file;
  const field = new BinaryWriter().tag(FILE_NAME, WireType.LengthDelimited).string(name).finish();
  return Buffer.concat([file, field]);
}

function readName(content: Uint8Array, file: unknown): unknown {
  const name = readText(content, FILE_NAME);
  return name === undefined || name === '' ? file : { ...asObject(file), name };
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
