import type { MatchList } from './match-list.ts';
import type { Place, Query } from './query.ts';

/** More of a line is not shown. */
const LONGEST_LINE = 500;

/** Adds the lines of a text in which the query is found, each with some lines before and after it. */
export function searchText(text: string, query: Query, context: number, matches: MatchList): void {
  /** Where the lines before this one are. */
  const before: Place[] = [];
  let number = 0;
  for (let start = 0; start <= text.length;) {
    const line: Place = { start, end: endOfLine(text, start) };
    number += 1;
    const content = text.slice(line.start, line.end);
    const found = query(content);
    if (found !== undefined) {
      const place = number;
      matches.add(() => ({
        line: place,
        text: excerpt(content, found),
        ...(context > 0 && {
          before: before.map((each) => beginning(text, each)),
          after: linesAfter(text, line, context).map((each) => beginning(text, each)),
        }),
      }));
    }
    before.push(line);
    if (before.length > context) before.shift();
    start = line.end + 1;
  }
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end;
}

function linesAfter(text: string, line: Place, amount: number): Place[] {
  const lines: Place[] = [];
  for (let start = line.end + 1; lines.length < amount && start <= text.length;) {
    const end = endOfLine(text, start);
    lines.push({ start, end });
    start = end + 1;
  }
  return lines;
}

function beginning(text: string, { start, end }: Place): string {
  return end - start <= LONGEST_LINE
    ? text.slice(start, end)
    : `${text.slice(start, start + LONGEST_LINE)}...`;
}

/** A line, or of a long one what is around the place. */
function excerpt(line: string, { start, end }: Place): string {
  if (line.length <= LONGEST_LINE) return line;
  const room = Math.max(0, Math.floor((LONGEST_LINE - (end - start)) / 2));
  const from = Math.max(0, start - room);
  const to = Math.min(line.length, from + LONGEST_LINE);
  return `${from > 0 ? '...' : ''}${line.slice(from, to)}${to < line.length ? '...' : ''}`;
}
