import { asObject, type JsonObject } from '../../model/json.ts';
import { withoutAbsent } from '../json-fields.ts';

/** Converts a part in the ProtoJSON of 0.3 to 1.0. The result is not validated. */
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
