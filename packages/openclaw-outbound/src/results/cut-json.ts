import { isObject } from '@holdword/protocol/internal';

/** One string may use at most this fraction of the limit. */
const MAX_STRING_FRACTION = 4;
/** Deeper than any task. */
const MAX_DEPTH = 40;

/** Cuts a JSON value to about `limit` characters. A marker replaces each part that was cut. */
export function cutJson(value: unknown, limit: number): unknown {
  const budget = { left: limit, perString: Math.ceil(limit / MAX_STRING_FRACTION) };
  return cut(value, budget, 0);
}

interface Budget {
  left: number;
  readonly perString: number;
}

function cut(value: unknown, budget: Budget, depth: number): unknown {
  if (typeof value === 'string') return cutText(value, budget);
  if (Array.isArray(value)) return cutList(value, budget, depth);
  if (isObject(value)) return cutObject(value, budget, depth);
  budget.left -= 8;
  return value;
}

function cutText(text: string, budget: Budget): string {
  const most = Math.max(0, Math.min(budget.perString, budget.left));
  budget.left -= Math.min(text.length, most) + 2;
  return text.length <= most ? text : `${text.slice(0, most)}[cut: ${text.length - most} more characters]`;
}

function cutList(list: readonly unknown[], budget: Budget, depth: number): unknown[] {
  const kept: unknown[] = [];
  for (const item of list) {
    if (budget.left <= 0 || depth > MAX_DEPTH)
      return [...kept, `[cut: ${list.length - kept.length} more items]`];
    kept.push(cut(item, budget, depth + 1));
  }
  return kept;
}

function cutObject(object: Readonly<Record<string, unknown>>, budget: Budget, depth: number): unknown {
  const entries = Object.entries(object);
  const kept: [string, unknown][] = [];
  for (const [key, value] of entries) {
    if (budget.left <= 0 || depth > MAX_DEPTH) {
      kept.push(['_cut', `${entries.length - kept.length} more fields`]);
      break;
    }
    budget.left -= key.length + 4;
    kept.push([key, cut(value, budget, depth + 1)]);
  }
  return Object.fromEntries(kept);
}
