import { styleText } from 'node:util';
import type { InteractiveTerminal } from '../command-line/terminal.ts';
import type { Style } from './markdown.ts';

const UP_AND_ERASE = (rows: number): string => `\r${rows > 1 ? `\u001b[${rows - 1}A` : ''}\u001b[J`;
const NARROWEST = 20;

/**
 * A terminal on which text is printed for good, with a few lines below it that change until they are cleared.
 *
 * Responsible for the changing lines being the last ones on the screen, each on one row: they are erased before anything is
 * printed, and drawn again after it. What was printed is never touched.
 */
export class LiveScreen {
  readonly #terminal: InteractiveTerminal;
  #shown: readonly string[] = [];
  #isAtLineStart = true;

  constructor(terminal: InteractiveTerminal) {
    this.#terminal = terminal;
  }

  get columns(): number {
    return Math.max(this.#terminal.output.columns, NARROWEST);
  }

  readonly style: Style = (format, text) =>
    this.#terminal.isColoured && text !== '' ? styleText(format, text, { validateStream: false }) : text;

  print(text: string): void {
    if (text === '') return;
    const lines = this.#shown;
    this.clear();
    this.#write(text);
    this.#isAtLineStart = text.endsWith('\n');
    this.show(lines);
  }

  /** Ends an unfinished line. */
  endLine(): void {
    if (!this.#isAtLineStart) this.print('\n');
  }

  /** Replaces the changing lines. Each has to fit into a row. */
  show(lines: readonly string[]): void {
    if (lines.length === 0 && this.#shown.length === 0) return;
    const erase = this.#shown.length === 0 ? '' : UP_AND_ERASE(this.#shown.length);
    this.#shown = lines;
    this.#write(erase + lines.join('\n'));
  }

  clear(): void {
    this.show([]);
  }

  #write(text: string): void {
    this.#terminal.output.write(text);
  }
}
