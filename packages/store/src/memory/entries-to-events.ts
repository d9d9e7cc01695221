import type { CommittedEvent, JournalEntry } from '../port.ts';

export function entriesToEvents(entries: readonly JournalEntry[], firstSequence: number): CommittedEvent[] {
  return entries.map(({ json, internal }, index) => {
    const sequence = firstSequence + index;
    return internal === undefined ? { sequence, json } : { sequence, json, internal };
  });
}
