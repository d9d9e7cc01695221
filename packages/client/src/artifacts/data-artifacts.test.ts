import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DataArtifacts } from './data-artifacts.ts';
import { withForeignNames } from './foreign-names.ts';

const ANY = expect.anything();

function employees(departments: readonly string[]): Record<string, unknown>[] {
  return Array.from({ length: 100 }, (_, index) => ({
    name: `Employee ${index}`,
    department: departments[index % departments.length],
    salary: 60_000 + index * 500,
  }));
}

/** The documented results belong to these names, although the example next to them abbreviates the first. */
const EMPLOYEES = employees(['Engineering', 'Marketing', 'Design', 'Sales']);
const EMPLOYEE_COLUMNS = [
  {
    count: 100,
    unique_count: 100,
    types: [
      {
        name: 'string',
        count: 100,
        percentage: 100,
        sample_value: expect.stringMatching(/^Employee \d+$/),
        length_minimum: 10,
        length_maximum: 11,
        length_average: 10.9,
        length_stdev: 0.3,
      },
    ],
    name: 'name',
  },
  {
    count: 100,
    unique_count: 4,
    types: [
      {
        name: 'string',
        count: 100,
        percentage: 100,
        sample_value: expect.stringMatching(/^(Engineering|Marketing|Design|Sales)$/),
        length_minimum: 5,
        length_maximum: 11,
        length_average: 7.75,
        length_stdev: 2.4,
      },
    ],
    name: 'department',
  },
  {
    count: 100,
    unique_count: 100,
    types: [
      {
        name: 'int',
        count: 100,
        percentage: 100,
        sample_value: expect.any(Number),
        minimum: 60_000,
        maximum: 109_500,
        average: 84_750,
        stdev: 14_505.75,
      },
    ],
    name: 'salary',
  },
];

describe('DataArtifacts.view', () => {
  const data = {
    employees: [
      { name: 'Alice', department: 'Engineering', level: 5 },
      { name: 'Bob', department: 'Design', level: 3 },
      { name: 'Carol', department: 'Engineering', level: 4 },
    ],
  };
  const rows = data.employees;

  it('selects by path, rows and columns', () => {
    expect(
      DataArtifacts.view(data, { jsonPath: 'employees', rows: '0-2', columns: ['name', 'department'] }),
    ).toEqual([
      { name: 'Alice', department: 'Engineering' },
      { name: 'Bob', department: 'Design' },
    ]);
  });

  it.each([
    [0, ['Alice']],
    [-1, ['Carol']],
    [
      [2, 0],
      ['Carol', 'Alice'],
    ],
    ['1', ['Bob']],
    ['-1', ['Carol']],
    ['0,2', ['Alice', 'Carol']],
    ['0-1, 2', ['Alice', 'Carol']],
    ['0-10', ['Alice', 'Bob', 'Carol']],
    ['1--1', ['Bob']],
    ['all', ['Alice', 'Bob', 'Carol']],
  ])('selects rows %j', (selection, names) => {
    expect(DataArtifacts.view(rows, { rows: selection, columns: 'name' })).toEqual(
      names.map((name) => ({ name })),
    );
  });

  it('includes the end of a range on request', () => {
    const view = DataArtifacts.view(rows, { rows: '0-1', columns: 'name,level', rowRangeEnd: 'inclusive' });
    expect(view).toEqual([
      { name: 'Alice', level: 5 },
      { name: 'Bob', level: 3 },
    ]);
  });

  it('selects rows of any list, and omits missing cells', () => {
    expect(DataArtifacts.view([1, 'two', null], { rows: '1-3' })).toEqual(['two', null]);
    expect(DataArtifacts.view([{ a: 1 }, { b: 2 }], { columns: 'a, b' })).toEqual([{ a: 1 }, { b: 2 }]);
    expect(DataArtifacts.view([{ 'a,b': 1 }], { columns: 'a,b' })).toEqual([{ 'a,b': 1 }]);
    expect(DataArtifacts.view(rows, { columns: 'all' })).toEqual(rows);
  });

  it('returns the data unchanged without a selection', () => {
    expect(DataArtifacts.view(data)).toBe(data);
    expect(DataArtifacts.view(data, { jsonPath: null, rows: null, columns: null })).toBe(data);
  });

  it.each([
    [rows, { rows: 3 }, 'Row 3 is out of range: there are 3 rows, 0 to 2'],
    [rows, { rows: -4 }, 'out of range'],
    [rows, { rows: '10-20' }, 'Row 10 is out of range'],
    [rows, { rows: '2-1' }, 'greater than'],
    [rows, { rows: 'foo' }, 'Invalid row selection "foo"'],
    [rows, { columns: 'age' }, 'Column "age" not found. The columns are name, department, level.'],
    [data, { rows: 0 }, 'found an object. Select a list with jsonPath; the fields are employees.'],
    [[], { rows: 0 }, 'found an empty list'],
    [7, { columns: 'a' }, 'found a single value'],
    [[1], { columns: 'a' }, 'Omit columns'],
    [rows, { characterLimit: 100 }, 'exceeds the limit of 100 characters: it is a list of 3 items'],
    ['long text', { characterLimit: 5 }, 'it is a text of 9 characters'],
  ])('rejects %j %j', (value, options, message) => {
    expect(() => DataArtifacts.view(value, options)).toThrow(message);
  });
});

describe('DataArtifacts.summarizeTable', () => {
  it('summarizes every column', () => {
    expect(DataArtifacts.summarizeTable(EMPLOYEES)).toEqual(EMPLOYEE_COLUMNS);
    expect(DataArtifacts.summarizeTable(employees(['Eng', 'Marketing', 'Design', 'Sales']))[1]).toMatchObject(
      {
        types: [{ length_minimum: 3, length_maximum: 9, length_average: 5.75, length_stdev: 2.18 }],
      },
    );
  });

  it('returns the same sample every time', () => {
    expect(DataArtifacts.summarizeTable(employees(['A', 'B']))).toEqual(
      DataArtifacts.summarizeTable(employees(['A', 'B'])),
    );
  });

  it('counts existing cells, and returns the values if they are shorter', () => {
    const rows = Array.from({ length: 60 }, (_, index) => ({
      id: index * 1000,
      ...(index % 30 === 0 && { note: 'x' }),
    }));
    expect(DataArtifacts.summarizeTable(rows)).toEqual([
      expect.objectContaining({ count: 60, unique_count: 60, name: 'id' }),
      { name: 'note', values: ['x', 'x'] },
    ]);
  });

  it('returns a small table unchanged', () => {
    const rows = [
      { name: 'Alice', age: 30 },
      { name: 'Bob', age: 25 },
    ];
    expect(DataArtifacts.summarizeTable(rows)).toEqual(rows);
    expect(DataArtifacts.summarizeTable([])).toEqual([]);
  });

  it('shortens a long sample', () => {
    const [column] = DataArtifacts.summarizeTable(
      Array.from({ length: 10 }, (_, index) => ({
        text: `${index}`.repeat(5_000),
        list: Array(900).fill(index),
      })),
    );
    expect(column).toMatchObject({
      types: [{ sample_value: expect.stringMatching(/^(\d)\1{199}\.\.\. \[4,800 more chars\]$/) }],
    });
  });
});

describe('DataArtifacts.summarizeValues', () => {
  it('summarizes every type', () => {
    const salaries = [
      ...Array.from({ length: 92 }, (_, index) => 45_000 + (index % 87) * 1_000),
      ...Array.from({ length: 8 }, () => null),
    ];
    expect(DataArtifacts.summarizeValues(salaries)).toEqual({
      count: 100,
      unique_count: 88,
      types: [
        {
          name: 'int',
          count: 92,
          percentage: 92,
          sample_value: expect.any(Number),
          minimum: 45_000,
          maximum: 131_000,
          average: 85_771.74,
          stdev: 26_275.42,
        },
        { name: 'null', count: 8, percentage: 8, sample_value: null },
      ],
    });
  });

  it('distinguishes all JSON types', () => {
    const values = Array.from({ length: 60 }, (_, index) => [
      index + 0.5,
      index % 2 === 0,
      [index, index],
      { key: `value ${index}` },
    ]).flat();
    expect(DataArtifacts.summarizeValues(values)).toEqual({
      count: 240,
      unique_count: 182,
      types: [
        {
          name: 'float',
          count: 60,
          percentage: 25,
          sample_value: ANY,
          minimum: 0.5,
          maximum: 59.5,
          average: 30,
          stdev: 17.46,
        },
        { name: 'bool', count: 60, percentage: 25, sample_value: ANY },
        {
          name: 'list',
          count: 60,
          percentage: 25,
          sample_value: ANY,
          length_minimum: 2,
          length_maximum: 2,
          length_average: 2,
          length_stdev: 0,
        },
        {
          name: 'object',
          count: 60,
          percentage: 25,
          sample_value: ANY,
          json_length_minimum: 17,
          json_length_maximum: 18,
          json_length_average: 17.83,
          json_length_stdev: 0.38,
        },
      ],
    });
  });

  it('treats objects with different key order as equal', () => {
    const values = Array.from({ length: 100 }, (_, index) =>
      index % 2 === 0 ? { a: index >> 1, b: 'x' } : { b: 'x', a: index >> 1 },
    );
    expect(DataArtifacts.summarizeValues(values)).toMatchObject({ unique_count: 50 });
  });

  it('tells numbers, texts, lists and objects apart', () => {
    const different = ['1', 1, true, null, [1], ['1'], [[1]], { a: 1 }, { a: '1' }, { b: 1 }, ['a', 1]];
    const values = Array.from({ length: 100 }, () => different).flat();
    expect(DataArtifacts.summarizeValues(values)).toMatchObject({ unique_count: different.length });
  });

  it('accepts lone surrogates and data that is nested deeper than the call stack allows', () => {
    let deep: unknown = 'core';
    for (let depth = 0; depth < 20_000; depth += 1) deep = [deep];
    const values = Array.from({ length: 2_000 }, (_, index) => (index % 2 === 0 ? { a: '\ud800' } : [deep]));
    expect(DataArtifacts.summarizeValues(values)).toMatchObject({ unique_count: 2 });
  });

  it('counts different values up to a limit, and says so', () => {
    const values = Array.from({ length: 10_001 }, (_, index) => index);
    expect(DataArtifacts.summarizeValues(values.slice(0, 9_999))).not.toHaveProperty(
      'unique_count_is_minimum',
    );
    expect(DataArtifacts.summarizeValues(values)).toMatchObject({
      unique_count: 10_000,
      unique_count_is_minimum: true,
    });
  });

  it('returns a short list unchanged', () => {
    expect(DataArtifacts.summarizeValues([1, 'hello', null])).toEqual([1, 'hello', null]);
    expect(DataArtifacts.summarizeValues([])).toEqual({ count: 0, types: [] });
  });
});

describe('DataArtifacts.minimize', () => {
  const report = {
    title: 'Quarterly Report Q4 2025',
    summary: 'x'.repeat(10_000),
    metrics: { revenue: 1_250_000, growth: 12.5 },
    employees: EMPLOYEES,
    tags: ['finance', 'quarterly', 'internal'],
  };

  it('shortens the strings of an object and summarizes its lists', () => {
    expect(DataArtifacts.minimize(report, { characterLimit: 100, minimizedObjectStringLength: 10 })).toEqual({
      data: {
        title: 'Quarterly ... [14 more chars]',
        summary: 'xxxxxxxxxx... [9,990 more chars]',
        metrics: { revenue: 1_250_000, growth: 12.5 },
        employees: { _total_rows: 100, _columns: EMPLOYEE_COLUMNS, _json_path: 'employees' },
        tags: ['finance', 'quarterly', 'internal'],
      },
    });
  });

  it('returns the same value for small data', () => {
    expect(DataArtifacts.minimize(report).data).toBe(report);
    expect(DataArtifacts.minimize(42, { characterLimit: 1 })).toEqual({ data: 42 });
    expect(DataArtifacts.minimize([], { characterLimit: 1 })).toEqual({ data: [] });
    expect(DataArtifacts.minimize({ key: 'short' }, { characterLimit: 5 })).toEqual({
      data: { key: 'short' },
    });
  });

  it('summarizes tables and lists, with the tip', () => {
    expect(DataArtifacts.minimize(EMPLOYEES, { characterLimit: 100, tip: 'Look closer.' })).toEqual({
      data: { _total_rows: 100, _columns: EMPLOYEE_COLUMNS, _tip: 'Look closer.' },
    });
    const numbers = Array.from({ length: 200 }, (_, index) => index);
    expect(DataArtifacts.minimize(numbers, { characterLimit: 100 })).toEqual({
      data: { _total_items: 200, _summary: DataArtifacts.summarizeValues(numbers) },
    });
    expect(DataArtifacts.minimize([...EMPLOYEES, 'no row'], { characterLimit: 100 })).toMatchObject({
      data: {
        _total_items: 101,
        _summary: {
          types: [
            { name: 'object', count: 100 },
            { name: 'string', count: 1 },
          ],
        },
      },
    });
  });

  it('minimizes a text as text', () => {
    expect(DataArtifacts.minimize('x'.repeat(60), { characterLimit: 10, tip: 'More.' })).toMatchObject({
      text: 'xxxxx\n\n[... 50 characters omitted ...]\n\nxxxxx',
      _tip: 'More.',
    });
  });

  it('adds the path of a list, and stops at a maximum depth', () => {
    const deep = (depth: number): unknown => (depth === 0 ? 'x'.repeat(20_000) : { down: deep(depth - 1) });
    const minimized = DataArtifacts.minimize(
      { 'a.b': { list: EMPLOYEES }, deep: deep(30) },
      { characterLimit: 100 },
    );
    expect(minimized).toMatchObject({ data: { 'a.b': { list: { _json_path: '["a.b"].list' } } } });
    expect(JSON.stringify(minimized)).toContain('{"down":"..."}');
  });

  it('accepts data that is nested deeper than the call stack allows', () => {
    let nested: unknown = 1;
    for (let depth = 0; depth < 20_000; depth += 1) nested = depth % 2 === 0 ? [nested] : { nested };
    expect(DataArtifacts.minimize(nested)).toMatchObject({ data: ANY });
  });

  it('keeps fields with names such as __proto__', () => {
    const data: unknown = JSON.parse(`{"__proto__": "${'x'.repeat(100)}", "other": 1}`);
    const { data: minimized } = DataArtifacts.minimize(data, {
      characterLimit: 10,
      minimizedObjectStringLength: 3,
    });
    expect(JSON.stringify(minimized)).toBe('{"agent:__proto__":"xxx... [97 more chars]","other":1}');
  });

  const jsonTable = fc.array(
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.jsonValue({ maxDepth: 2 })),
    {
      minLength: 1,
      maxLength: 40,
    },
  );

  it('is never longer than the data, does not change it, and is deterministic', () => {
    fc.assert(
      fc.property(fc.oneof(jsonTable, fc.jsonValue()), fc.nat(200), fc.nat(20), (data, limit, length) => {
        const before = JSON.stringify(data, null, 2);
        const options = { characterLimit: limit, minimizedObjectStringLength: length };
        const minimized = DataArtifacts.minimize(data, options);
        expect(JSON.stringify(data, null, 2)).toBe(before);
        expect(DataArtifacts.minimize(data, options)).toEqual(minimized);
        if (typeof data === 'string') return;
        const shown = JSON.stringify(withForeignNames(data), null, 2);
        if (shown.length <= limit) expect(JSON.stringify(minimized.data, null, 2)).toBe(shown);
        // A cut string ends with a note about its length, which can be longer than a few omitted characters.
        const slack = shown.length <= limit ? 0 : 30 * (shown.match(/"/g)?.length ?? 0);
        expect(JSON.stringify(minimized.data, null, 2).length).toBeLessThanOrEqual(shown.length + slack);
      }),
    );
  });

  it('preserves the counts of types', () => {
    fc.assert(
      fc.property(jsonTable, (rows) => {
        // Many equal rows, so that the summary is shorter.
        const table = Array.from({ length: 40 }, () => rows).flat();
        const { data } = DataArtifacts.minimize(table, { characterLimit: 0 });
        if (Array.isArray(data)) return;
        const { _columns, _total_rows } = data as { _columns: unknown[]; _total_rows: number };
        expect(_total_rows).toBe(table.length);
        expect(countsOf(_columns)).toEqual(expectedCounts(withForeignNames(table) as typeof table));
      }),
    );
  });
});

type Counts = Record<string, Record<string, number>>;

function countsOf(columns: unknown[]): Counts {
  const counts: Counts = Object.create(null);
  for (const column of columns as {
    name: string;
    values?: unknown[];
    types?: { name: string; count: number }[];
  }[]) {
    const tally: Record<string, number> = {};
    for (const value of column.values ?? []) count(tally, typeName(value));
    for (const type of column.types ?? []) tally[type.name] = type.count;
    counts[column.name] = tally;
  }
  return counts;
}

function expectedCounts(rows: readonly Record<string, unknown>[]): Counts {
  const counts: Counts = Object.create(null);
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) count((counts[name] ??= {}), typeName(value));
  }
  return counts;
}

function count(tally: Record<string, number>, name: string): void {
  tally[name] = (tally[name] ?? 0) + 1;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
