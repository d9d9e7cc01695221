import type { JsonObject } from '@holdword/protocol';

/** Field names of the first contract, keyed by their current names. */
const OLD_NAMES = {
  context_id: 'contextId',
  session_id: 'sessionId',
  created_at: 'createdAt',
  completed_at: 'completedAt',
};

/** Duplicates fields under their old names for parsers of the first contract. */
export function legacyFields(fields: JsonObject): JsonObject {
  return {
    ...Object.fromEntries(Object.entries(OLD_NAMES).map(([name, old]) => [old, fields[name]])),
    canonical_fields: Object.keys(OLD_NAMES),
    deprecated_fields: Object.values(OLD_NAMES),
    observability: { processing_ms: fields['processing_ms'], usage_estimate: fields['usage_estimate'] },
  };
}
