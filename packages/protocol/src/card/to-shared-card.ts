import { isObject, type JsonObject } from '../model/json.ts';
import type { AgentCard } from './agent-card.ts';
import { toLegacyCard } from './to-legacy-card.ts';

/**
 * One card for clients of both versions, where they cannot be told apart: the fields of 1.0, and beside them those that
 * only 0.3 has. Readers of either skip what they do not know.
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
