import { asObject, type JsonObject } from '../model/json.ts';
import { WRAPPED_DATA } from './core-event-to-v03.ts';
import { withoutAbsent } from './json-fields.ts';

/** A part of 0.3 as one of 1.0 that no schema has accepted yet. */
export function v03PartToCore(value: unknown): JsonObject {
  const { kind, text, file, data, metadata } = asObject(value);
  switch (kind) {
    case 'file': {
      const { bytes, uri, mimeType, name } = asObject(file);
      return withoutAbsent({ raw: bytes, url: uri, mediaType: mimeType, filename: name, metadata });
    }
    case 'data':
      return v03DataToCore(data, asObject(metadata));
    case 'text':
      return withoutAbsent({ text, metadata });
    default:
      // Nothing that a schema accepts: whoever has the part at hand says what is wrong with it.
      return {};
  }
}

function v03DataToCore(data: unknown, { [WRAPPED_DATA]: wrapped, ...metadata }: JsonObject): JsonObject {
  return {
    data: wrapped === true ? asObject(data)['value'] : data,
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}
