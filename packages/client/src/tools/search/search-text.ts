import type { MatchList } from './match-list.ts';
import type { TextRange, Query } from './query.ts';

/** More of a line is not shown. */
const MAX_LINE_LENGTH = 500;

/** Adds the lines of a text in which the query is found, each with some lines before and after it. */
export function searchText(text: string, query: Query, context: number, matches: MatchList): void {
  /** Where the lines before this one are. */
  const before: TextRange[] = [];
  let number = 0;
  for (let start = 0; start <= text.length;) {
    const line: TextRange = { start, end: endOfLine(text, start) };
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

function linesAfter(text: string, line: TextRange, amount: number): TextRange[] {
  const lines: TextRange[] = [];
  for (let start = line.end + 1; lines.length < amount && start <= text.length;) {
    const end = endOfLine(text, start);
    lines.push({ start, end });
    start = end + 1;
  }
  return lines;
}

function beginning(text: string, { start, end }: TextRange): string {
  return end - start <= MAX_LINE_LENGTH
    ? text.slice(start, end)
    : `${text.slice(start, start + MAX_LINE_LENGTH)}...`;
}

/** A line, or of a long one what is around the place. */
function excerpt(line: string, { start, end }: TextRange): string {
  if (line.length <= MAX_LINE_LENGTH) return line;
  const room = Math.max(0, Math.floor((MAX_LINE_LENGTH - (end - start)) / 2));
  const from = Math.max(0, start - room);
  const to = Math.min(line.length, from + MAX_LINE_LENGTH);
  return `${from > 0 ? '...' : ''}${line.slice(from, to)}${to < line.length ? '...' : ''}`;
}
