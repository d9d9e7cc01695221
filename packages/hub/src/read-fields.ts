import type { JsonObject } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import { headerValue, type RequestHeaders } from '@holdword/runtime';

/** The first header among these names that says something. */
export function firstHeader(headers: RequestHeaders, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = headerValue(headers, name)?.trim();
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
}

/** The first text among these fields that says something. */
export function firstText(object: JsonObject, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = object[name];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return undefined;
}

/** The objects inside `params` where clients put what belongs to a call. */
export function metadataOf(params: JsonObject): JsonObject {
  return asObject(params['metadata']);
}

export function configurationOf(params: JsonObject): JsonObject {
  return asObject(params['configuration']);
}
