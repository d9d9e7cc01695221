import type { JournalEntry } from './port.ts';
import { StoreError } from './store-error.ts';

/** Backends store events as lines of tab-separated fields, and an append has at least one event. */
export function checkEntries(entries: readonly JournalEntry[]): void {
  if (entries.length === 0) {
    throw new StoreError('invalid-entry', 'An append needs at least one event, found none.');
  }
  for (const entry of entries) {
    if (!isOneLine(entry.json) || (entry.internal !== undefined && !isOneLine(entry.internal))) {
      throw new StoreError(
        'invalid-entry',
        'An event must be JSON on a single line without tabs; serialize it with JSON.stringify(value).',
      );
    }
  }
}

function isOneLine(text: string): boolean {
  return text !== '' && !text.includes('\n') && !text.includes('\t');
}
