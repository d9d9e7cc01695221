import type { JournalEntry } from './port.ts';
import { StoreError } from './store-error.ts';

/** Backends keep events as lines of tab-separated fields, and an append is one or more events. */
export function checkEntries(entries: readonly JournalEntry[]): void {
  if (entries.length === 0) {
    throw new StoreError('invalid-entry', 'Expected at least one event to write, found none.');
  }
  for (const entry of entries) {
    if (!isOneLine(entry.json) || (entry.internal !== undefined && !isOneLine(entry.internal))) {
      throw new StoreError(
        'invalid-entry',
        'Expected an event as JSON on one line, found nothing, a line break or a tab; write it with JSON.stringify(value).',
      );
    }
  }
}

function isOneLine(text: string): boolean {
  return text !== '' && !text.includes('\n') && !text.includes('\t');
}
