import type { JsonObject } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import { headerValue, type RequestHeaders } from '@holdword/runtime';

/** The first of these headers that is not empty. */
export function firstHeader(headers: RequestHeaders, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = headerValue(headers, name)?.trim();
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
}

/** The first of these fields that is a non-empty string, trimmed. */
export function firstText(object: JsonObject, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = object[name];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return undefined;
}

/** The `metadata` object in `params`, where some clients put their ids. */
export function metadataOf(params: JsonObject): JsonObject {
  return asObject(params['metadata']);
}

/** The `configuration` object in `params`, where some clients put their ids. */
export function configurationOf(params: JsonObject): JsonObject {
  return asObject(params['configuration']);
}
