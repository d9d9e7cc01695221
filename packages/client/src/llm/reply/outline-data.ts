import { isObject } from '@holdword/protocol/internal';
import { typeOfValue, type ValueType } from '../../artifacts/data/value-type.ts';

/** The outline of data if there is no room for its values: counts by type. */
export interface DataOutline {
  /** Number of columns or fields that can be named. */
  readonly names: number;
  /** The outline with the first `names` of them. */
  describe(names: number): Record<string, unknown>;
}

export function outlineData(data: unknown): DataOutline {
  if (Array.isArray(data)) {
    return data.length > 0 && data.every(isObject) ? outlineTable(data) : outlineList(data);
  }
  return isObject(data) ? outlineObject(data) : { names: 0, describe: () => ({ _type: typeOfValue(data) }) };
}

function outlineTable(rows: readonly Record<string, unknown>[]): DataOutline {
  const columns = new Map<string, Map<ValueType, number>>();
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      let counts = columns.get(name);
      if (counts === undefined) columns.set(name, (counts = new Map()));
      countType(counts, value);
    }
  }
  return {
    names: columns.size,
    describe: (names) => ({
      _total_rows: rows.length,
      _columns: [...columns].slice(0, names).map(([name, counts]) => ({ types: listTypes(counts), name })),
      ...(names < columns.size && { _omitted_columns: columns.size - names }),
    }),
  };
}

function outlineList(list: readonly unknown[]): DataOutline {
  const counts = new Map<ValueType, number>();
  for (const value of list) countType(counts, value);
  return {
    names: 0,
    describe: () => ({ _total_items: list.length, _summary: { types: listTypes(counts) } }),
  };
}

function outlineObject(object: Record<string, unknown>): DataOutline {
  const fields = Object.entries(object);
  return {
    names: fields.length,
    describe: (names) => ({
      _total_fields: fields.length,
      _fields: fields.slice(0, names).map(([name, value]) => ({ type: typeOfValue(value), name })),
      ...(names < fields.length && { _omitted_fields: fields.length - names }),
    }),
  };
}

function countType(counts: Map<ValueType, number>, value: unknown): void {
  const type = typeOfValue(value);
  counts.set(type, (counts.get(type) ?? 0) + 1);
}

function listTypes(counts: ReadonlyMap<ValueType, number>): { name: ValueType; count: number }[] {
  return Array.from(counts, ([name, count]) => ({ name, count })).toSorted(
    (one, other) => other.count - one.count,
  );
}
