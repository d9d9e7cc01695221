import { isObject } from '@holdword/protocol/internal';
import { childPath } from '../../artifacts/data/json-path.ts';
import { selectColumns } from '../../artifacts/data/select-columns.ts';
import { shortenValue } from '../../artifacts/data/shorten.ts';
import type { MatchList } from './match-list.ts';
import type { Query } from './query.ts';

/** Longer rows and values are shortened. */
const MAX_VALUE_LENGTH = 2_000;

/**
 * Adds the rows of a list that contain a matching value, in one column or in any; for data that is not a list, adds the
 * matching values with their paths. Throws if the column does not exist.
 */
export function searchData(
  data: unknown,
  query: Query,
  column: string | undefined,
  matches: MatchList,
): void {
  if (!Array.isArray(data)) {
    if (column !== undefined) {
      throw new Error('A column can only be selected in a list of objects. Select the list with jsonPath.');
    }
    for (const { path, value } of leavesOf(data)) {
      if (isFoundIn(value, query))
        matches.add(() => ({ path, value: shortenValue(value, MAX_VALUE_LENGTH) }));
    }
    return;
  }
  const rows: readonly unknown[] = data;
  if (column !== undefined) selectColumns([], rows.filter(isObject), [column]);
  for (const [row, value] of rows.entries()) {
    const searched = column === undefined ? value : isObject(value) ? value[column] : undefined;
    if (hasLeaf(searched, query)) matches.add(() => ({ row, value: shortenValue(value, MAX_VALUE_LENGTH) }));
  }
}

function hasLeaf(value: unknown, query: Query): boolean {
  for (const leaf of leavesOf(value)) {
    if (isFoundIn(leaf.value, query)) return true;
  }
  return false;
}

function isFoundIn(value: unknown, query: Query): boolean {
  if (typeof value === 'string') return query(value) !== undefined;
  return (typeof value === 'number' || typeof value === 'boolean') && query(String(value)) !== undefined;
}

interface Leaf {
  readonly path: string;
  readonly value: unknown;
}

/** All leaf values in order. Iterative, because untrusted data may be nested deeper than the call stack allows. */
function* leavesOf(data: unknown): Generator<Leaf> {
  const waiting: Leaf[] = [{ path: '', value: data }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, value } = next;
    if (Array.isArray(value)) {
      for (let index = value.length - 1; index >= 0; index -= 1) {
        waiting.push({ path: `${path}[${index}]`, value: value[index] });
      }
    } else if (isObject(value)) {
      for (const [name, item] of Object.entries(value).toReversed()) {
        waiting.push({ path: childPath(path, name), value: item });
      }
    } else yield next;
  }
}
