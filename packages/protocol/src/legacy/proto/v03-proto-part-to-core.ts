import { asObject, type JsonObject } from '../../model/json.ts';
import { withoutAbsent } from '../json-fields.ts';

/** A part in the ProtoJSON of 0.3 as one of 1.0 that no schema has accepted yet. */
export function v03ProtoPartToCore(value: unknown): JsonObject {
  const { text, file, data, metadata } = asObject(value);
  if (file !== undefined) {
    const { fileWithBytes, fileWithUri, mimeType, name } = asObject(file);
    return withoutAbsent({
      raw: fileWithBytes,
      url: fileWithUri,
      mediaType: mimeType,
      filename: name,
      metadata,
    });
  }
  if (data !== undefined) return withoutAbsent({ data: asObject(data)['data'], metadata });
  return withoutAbsent({ text, metadata });
}
