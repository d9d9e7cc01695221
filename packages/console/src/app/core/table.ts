// Tables in what agents return: found in data, read from text, sorted as people expect.
import { visibleLine } from './foreign-text.ts';

export interface TableData {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** A list of objects, or a list of lists, is a table to a person. Anything else is none. */
export function tableIn(value: unknown): TableData | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  if (value.every(Array.isArray)) {
    const [head = [], ...rows] = value as unknown[][];
    return rows.length > 0 && head.every((cell) => typeof cell === 'string')
      ? { columns: head, rows }
      : undefined;
  }
  if (!value.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row))) return undefined;
  const records = value as Record<string, unknown>[];
  const columns = [...new Set(records.slice(0, 100).flatMap((row) => Object.keys(row)))];
  if (columns.length === 0 || columns.length > 30) return undefined;
  return { columns, rows: records.map((row) => columns.map((column) => row[column])) };
}

/** Comma-separated values with quotes, as RFC 4180 has them. */
export function parseCsv(text: string, separator = ','): TableData | undefined {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text[index + 1] === '"') [cell, index] = [`${cell}"`, index + 1];
      else quoted = false;
    } else if (character === '"' && cell === '') {
      quoted = true;
    } else if (character === separator || character === '\n') {
      row.push(character === '\n' && cell.endsWith('\r') ? cell.slice(0, -1) : cell);
      cell = '';
      if (character === '\n') {
        rows.push(row);
        row = [];
      }
    } else {
      cell += character;
    }
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell]);
  const [columns, ...data] = rows;
  return columns === undefined || data.length === 0 ? undefined : { columns, rows: data };
}

export function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return visibleLine(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
}

/** Numbers by value, also where they are written as text; everything else as people sort names. */
export function compareCells(one: unknown, other: unknown): number {
  const [left, right] = [cellText(one), cellText(other)];
  const [leftNumber, rightNumber] = [Number(left), Number(right)];
  if (left !== '' && right !== '' && !Number.isNaN(leftNumber) && !Number.isNaN(rightNumber))
    return leftNumber - rightNumber;
  return left.localeCompare(right, 'en', { numeric: true });
}
