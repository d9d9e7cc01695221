import { textWidth, wrapText } from './text-width.ts';

/** How a text is marked on a terminal. */
export type Style = (format: Format, text: string) => string;
export type Format = 'bold' | 'dim' | 'italic' | 'underline' | 'cyan' | 'green' | 'red' | 'yellow';

/**
 * Renders Markdown while it arrives, a line at a time: headings, emphasis, code, lists, quotes, links and tables. A table is held
 * back until it is complete, because its columns depend on all of its rows.
 */
export class MarkdownRenderer {
  readonly #columns: () => number;
  readonly #style: Style;
  #rest = '';
  #isCode = false;
  #table: string[] = [];

  constructor(columns: () => number, style: Style) {
    this.#columns = columns;
    this.#style = style;
  }

  /** The line that is not complete yet, as it was written. */
  get pending(): string {
    return this.#table.length > 0 ? '' : this.#rest;
  }

  /** Takes more text, and returns the lines that it completes. */
  write(text: string): string {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines.map((line) => this.#line(line)).join('');
  }

  /** Returns what is left at the end of the text. */
  end(): string {
    const last = this.#rest === '' ? '' : this.#line(this.#rest);
    this.#rest = '';
    this.#isCode = false;
    return last + this.#endTable();
  }

  #line(line: string): string {
    if (!this.#isCode && /^\s{0,3}\|/.test(line)) {
      this.#table.push(line);
      return '';
    }
    return this.#endTable() + this.#plainLine(line);
  }

  #plainLine(line: string): string {
    if (/^\s{0,3}(```|~~~)/.test(line)) {
      this.#isCode = !this.#isCode;
      return '';
    }
    if (this.#isCode) return `  ${this.#style('cyan', line)}\n`;
    const [, marks, title] = /^(#{1,6}) +(.*)$/.exec(line) ?? [];
    if (marks !== undefined) return `${this.#style(marks.length < 3 ? 'bold' : 'underline', title ?? '')}\n`;
    if (/^ {0,3}([-*_]) *\1 *\1[-*_ ]{0,200}$/.test(line)) {
      return `${this.#style('dim', '─'.repeat(Math.min(this.#columns(), 40)))}\n`;
    }
    const [, before = '', bullet, item] = /^(\s{0,20})([-*+]|\d{1,9}[.)]) (.*)$/.exec(line) ?? [];
    if (bullet !== undefined) {
      const mark = /\d/.test(bullet) ? bullet : '•';
      return this.#wrapped(`${before}${mark} ${item}`, ' '.repeat(before.length + mark.length + 1));
    }
    const [, quote] = /^> ?(.*)$/.exec(line) ?? [];
    if (quote !== undefined) return this.#wrapped(`│ ${quote}`, '│ ');
    return this.#wrapped(line, '');
  }

  #wrapped(text: string, indent: string): string {
    return wrapText(this.#inline(text), this.#columns(), indent)
      .map((line) => `${line}\n`)
      .join('');
  }

  /** Emphasis, code and links within a line. */
  #inline(text: string): string {
    return text
      .slice(0, MOST_INLINE)
      .split(/(`[^`]+`)/)
      .map((piece) =>
        piece.length > 2 && piece.startsWith('`')
          ? this.#style('cyan', piece.slice(1, -1))
          : piece
              .replaceAll(/\*\*([^*]+)\*\*/g, (_, inner: string) => this.#style('bold', inner))
              .replaceAll(
                /(^|\W)[*_]([^*_\s][^*_]*)[*_](?=\W|$)/g,
                (_, before: string, inner: string) => before + this.#style('italic', inner),
              )
              .replaceAll(/\[([^\][]+)\]\(([^()\s]+)\)/g, (_, label: string, url: string) =>
                label === url ? this.#style('underline', url) : `${label} (${this.#style('underline', url)})`,
              ),
      )
      .join('')
      .concat(text.slice(MOST_INLINE));
  }

  #endTable(): string {
    if (this.#table.length === 0) return '';
    const rows = this.#table.splice(0).map(cellsOf);
    const [head = [], rule, ...body] = rows;
    if (rule === undefined || !isRule(rule)) return rows.map((cells) => `${cells.join('  ')}\n`).join('');
    const alignments = rule.map((cell) => (cell.endsWith(':') && !cell.startsWith(':') ? 'right' : 'left'));
    return alignedTable(
      head.map((cell) => this.#inline(cell)),
      body.map((cells) => cells.map((cell) => this.#inline(cell))),
      { columns: this.#columns(), style: this.#style, alignments },
    );
  }
}

function isRule(cells: readonly string[]): boolean {
  return cells.every((cell) => /^:?-+:?$/.test(cell));
}

/** Longer lines are not searched for emphasis. */
const MOST_INLINE = 10_000;

function cellsOf(line: string): string[] {
  return line
    .trim()
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split('|')
    .map((cell) => cell.trim());
}

interface TableLayout {
  readonly columns: number;
  readonly style: Style;
  readonly alignments?: readonly ('left' | 'right')[];
}

/** A table with aligned columns; on a terminal that is too narrow, each row as a list of its fields. */
export function alignedTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { columns, style, alignments = [] }: TableLayout,
): string {
  const widths = head.map((title, column) =>
    Math.max(textWidth(title), ...rows.map((row) => textWidth(row[column] ?? ''))),
  );
  const total = widths.reduce((sum, width) => sum + width + 2, -2);
  if (total > columns) {
    return rows
      .map((row) =>
        head.map((title, column) => `${style('dim', `${title}:`)} ${row[column] ?? ''}\n`).join(''),
      )
      .join('\n');
  }
  const cell = (text: string, column: number): string => {
    const space = ' '.repeat(Math.max(0, (widths[column] ?? 0) - textWidth(text)));
    return alignments[column] === 'right' ? space + text : text + space;
  };
  const line = (cells: readonly string[]): string =>
    head.map((_, column) => cell(cells[column] ?? '', column)).join('  ');
  const rule = style('dim', widths.map((width) => '─'.repeat(width)).join('  '));
  return [style('bold', line(head)), rule, ...rows.map(line)].map((each) => `${each.trimEnd()}\n`).join('');
}
