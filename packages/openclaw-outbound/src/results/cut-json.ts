import { isObject } from '@holdword/protocol';

/** The share of the whole that one text may have once something has to be cut. */
const LARGEST_TEXT = 4;
/** Deeper than any task: whatever is nested further is not meant to be read. */
const DEEPEST = 40;

/** A JSON value with about `limit` characters at most. What was left out is said in its place. */
export function cutJson(value: unknown, limit: number): unknown {
  const room = { left: limit, text: Math.ceil(limit / LARGEST_TEXT) };
  return cut(value, room, 0);
}

interface Room {
  left: number;
  /** For one text. */
  readonly text: number;
}

function cut(value: unknown, room: Room, depth: number): unknown {
  if (typeof value === 'string') return cutText(value, room);
  if (Array.isArray(value)) return cutList(value, room, depth);
  if (isObject(value)) return cutObject(value, room, depth);
  room.left -= 8;
  return value;
}

function cutText(text: string, room: Room): string {
  const most = Math.max(0, Math.min(room.text, room.left));
  room.left -= Math.min(text.length, most) + 2;
  return text.length <= most ? text : `${text.slice(0, most)}[cut: ${text.length - most} more characters]`;
}

function cutList(list: readonly unknown[], room: Room, depth: number): unknown[] {
  const kept: unknown[] = [];
  for (const item of list) {
    if (room.left <= 0 || depth > DEEPEST) return [...kept, `[cut: ${list.length - kept.length} more items]`];
    kept.push(cut(item, room, depth + 1));
  }
  return kept;
}

function cutObject(object: Readonly<Record<string, unknown>>, room: Room, depth: number): unknown {
  const entries = Object.entries(object);
  const kept: [string, unknown][] = [];
  for (const [key, value] of entries) {
    if (room.left <= 0 || depth > DEEPEST) {
      kept.push(['_cut', `${entries.length - kept.length} more fields`]);
      break;
    }
    room.left -= key.length + 4;
    kept.push([key, cut(value, room, depth + 1)]);
  }
  return Object.fromEntries(kept);
}
