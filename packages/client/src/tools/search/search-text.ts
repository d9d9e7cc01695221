import type { MatchList } from './match-list.ts';
import type { TextRange, Query } from './query.ts';

/** Longer lines are shortened. */
const MAX_LINE_LENGTH = 500;

/** Adds the matching lines of a text with their surrounding lines. */
export function searchText(text: string, query: Query, context: number, matches: MatchList): void {
  /** The ranges of the preceding lines. */
  const before: TextRange[] = [];
  let number = 0;
  for (let start = 0; start <= text.length;) {
    const line: TextRange = { start, end: endOfLine(text, start) };
    number += 1;
    const content = text.slice(line.start, line.end);
    const found = query(content);
    if (found !== undefined) {
      const lineNumber = number;
      matches.add(() => ({
        line: lineNumber,
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

/** The whole line, or the part of a long line around the match. */
function excerpt(line: string, { start, end }: TextRange): string {
  if (line.length <= MAX_LINE_LENGTH) return line;
  const room = Math.max(0, Math.floor((MAX_LINE_LENGTH - (end - start)) / 2));
  const from = Math.max(0, start - room);
  const to = Math.min(line.length, from + MAX_LINE_LENGTH);
  return `${from > 0 ? '...' : ''}${line.slice(from, to)}${to < line.length ? '...' : ''}`;
}
