import type { CommittedEvent, JournalEntry } from '../port.ts';

/**
 * How events are stored in the journal table: one row per append, one line per event. A line is the event's JSON, followed
 * by a tab and its internal JSON if it has any, and by a second tab and a mark if it changes the status. JSON on a single
 * line contains neither tabs nor line breaks, so nothing is escaped and reads return what was written, byte for byte.
 */
export type JournalRow = [
  count: number,
  /** Index within this row of the newest event that changes the status, -1 if none does. */
  statusIndex: number,
  lines: string,
];

const MAX_EVENTS = 256;
const MAX_CHARACTERS = 256 * 1024;
const STATUS_MARK = 's';

/** Splits long appends, so that reading one event never loads a very long row. */
export function entriesToRows(entries: readonly JournalEntry[]): JournalRow[] {
  const rows: JournalRow[] = [];
  let row: JournalRow | undefined;
  for (const entry of entries) {
    const line = entryToLine(entry);
    if (row === undefined || row[0] >= MAX_EVENTS || row[2].length + line.length > MAX_CHARACTERS) {
      row = [1, entry.changesStatus ? 0 : -1, line];
      rows.push(row);
    } else {
      if (entry.changesStatus) row[1] = row[0];
      row[0] += 1;
      row[2] += `\n${line}`;
    }
  }
  return rows;
}

export function rowToEvents(firstSequence: number, lines: string): CommittedEvent[] {
  return lines.split('\n').map((line, index) => lineToEvent(firstSequence + index, line));
}

/** The newest event in a row that changes the status and whose sequence number is at most `atMost`. */
export function rowToStatusEvent(
  firstSequence: number,
  lines: string,
  atMost: number,
): CommittedEvent | undefined {
  const upTo = lines.split('\n').slice(0, Math.max(0, atMost - firstSequence + 1));
  const index = upTo.findLastIndex((line) => line.endsWith(`\t${STATUS_MARK}`));
  const line = upTo[index];
  return line === undefined ? undefined : lineToEvent(firstSequence + index, line);
}

function entryToLine(entry: JournalEntry): string {
  if (entry.changesStatus) return `${entry.json}\t${entry.internal ?? ''}\t${STATUS_MARK}`;
  return entry.internal === undefined ? entry.json : `${entry.json}\t${entry.internal}`;
}

function lineToEvent(sequence: number, line: string): CommittedEvent {
  const [json = '', internal = ''] = line.includes('\t') ? line.split('\t') : [line];
  return internal === '' ? { sequence, json } : { sequence, json, internal };
}
