import { asObject, type JsonObject } from '../model/json.ts';
import { WRAPPED_DATA } from './core-event-to-v03.ts';
import { withoutAbsent } from './json-fields.ts';

/** Converts a part of 0.3 to 1.0. The result is not validated. */
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
      // Invalid for the schema; `coreErrorToV03` then says what is wrong with the part.
      return {};
  }
}

function v03DataToCore(data: unknown, { [WRAPPED_DATA]: wrapped, ...metadata }: JsonObject): JsonObject {
  return {
    data: wrapped === true ? asObject(data)['value'] : data,
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}
