import type { CommittedEvent, JournalEntry } from '../port.ts';

export function entriesToEvents(entries: readonly JournalEntry[], firstSequence: number): CommittedEvent[] {
  return entries.map(({ json, side }, index) => {
    const sequence = firstSequence + index;
    return side === undefined ? { sequence, json } : { sequence, json, side };
  });
}
