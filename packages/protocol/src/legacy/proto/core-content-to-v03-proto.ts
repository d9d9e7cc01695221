import { isObject, type JsonObject } from '../../model/json.ts';
import type { Message } from '../../model/message.ts';
import type { Part } from '../../model/part.ts';
import { withoutAbsent } from '../json-fields.ts';

/** A message in the ProtoJSON of 0.3, which has no field for task references. */
export function coreMessageToV03Proto(message: Message): JsonObject {
  const { parts, referenceTaskIds: _references, ...fields } = message;
  return { ...fields, content: parts.map(corePartToV03Proto) };
}

export function corePartToV03Proto({ text, data, raw, url, mediaType }: Part): JsonObject {
  if (text !== undefined) return { text };
  if (data !== undefined) {
    // The data in the proto is an object; any other value is wrapped in one.
    return { data: { data: isObject(data) ? data : { value: data } } };
  }
  return { file: withoutAbsent({ fileWithBytes: raw, fileWithUri: url, mimeType: mediaType }) };
}
