import { isObject, type JsonObject } from '../model/json.ts';
import type { AgentCard } from './agent-card.ts';
import { toLegacyCard } from './to-legacy-card.ts';

/**
 * One card for clients of both versions, for when they cannot be distinguished: the fields of 1.0 plus those that only 0.3
 * has. Clients ignore the fields they do not know.
 */
export function toSharedCard(card: AgentCard): JsonObject {
  return withFieldsOf(toLegacyCard(card), card);
}

function withFieldsOf(legacy: JsonObject, current: object): JsonObject {
  const fields = Object.entries(current).map(([name, value]): [string, unknown] => {
    const other: unknown = legacy[name];
    return [name, isObject(value) && isObject(other) ? withFieldsOf(other, value) : value];
  });
  return { ...legacy, ...Object.fromEntries(fields) };
}
