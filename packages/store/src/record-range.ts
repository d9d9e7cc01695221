import type { RecordPage } from './port.ts';

/** The keys of a page as the two ends of a range, so that an index finds it whatever else the namespace holds. */
export interface RecordRange {
  readonly lower: string;
  readonly lowerOperator: '>=' | '>';
  readonly upper: string;
  readonly upperOperator: '<=' | '<';
  readonly order: 'ASC' | 'DESC';
}

/** No text holds it: Unicode keeps its last code point for the inside of programs. */
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
