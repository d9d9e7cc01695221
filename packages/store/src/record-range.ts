import type { RecordPage } from './port.ts';

/** A page of records as a range of keys, so that an index finds it no matter how many records the namespace has. */
export interface RecordRange {
  readonly lower: string;
  readonly lowerOperator: '>=' | '>';
  readonly upper: string;
  readonly upperOperator: '<=' | '<';
  readonly order: 'ASC' | 'DESC';
}

/** Sorts after every key: Unicode reserves its last code point for internal use. */
const LAST_CODE_POINT = '\u{10ffff}';

export function recordRange(prefix = '', { after, descending = false }: RecordPage = {}): RecordRange {
  const range: RecordRange = {
    lower: prefix,
    lowerOperator: '>=',
    upper: `${prefix}${LAST_CODE_POINT}`,
    upperOperator: '<=',
    order: descending ? 'DESC' : 'ASC',
  };
  if (after?.startsWith(prefix) !== true) return range;
  return descending
    ? { ...range, upper: after, upperOperator: '<' }
    : { ...range, lower: after, lowerOperator: '>' };
}
