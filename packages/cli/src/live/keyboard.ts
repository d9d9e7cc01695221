import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { InteractiveTerminal } from '../command-line/terminal.ts';

const CTRL_C = '\u0003';

/** What somebody typed: a line, or that they pressed Ctrl-C or Ctrl-D. */
export type Typed = { readonly line: string } | { readonly key: 'interrupt' | 'end' };

/**
 * The keyboard of a terminal.
 *
 * Responsible for one reader at a time: lines while somebody is asked, and Ctrl-C alone while a task runs. What is typed
 * meanwhile is not shown, so that it does not mix with the output, and not kept, so that it answers no question by accident. The
 * terminal stays in raw mode in between: there, a key waits for the next reader, where it would otherwise end the input.
 */
export class Keyboard implements Disposable {
  readonly #terminal: InteractiveTerminal;
  readonly #history: string[] = [];

  constructor(terminal: InteractiveTerminal) {
    this.#terminal = terminal;
  }

  /** Asks for a line. A hidden one is neither shown nor remembered. */
  async ask(prompt: string, { isHidden = false }: { isHidden?: boolean } = {}): Promise<Typed> {
    const { input, output } = this.#terminal;
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
    if (isHidden) output.write(prompt);
    const reader = createInterface({
      input,
      output: isHidden ? silent : output,
      terminal: true,
      history: isHidden ? [] : [...this.#history],
      prompt: isHidden ? '' : prompt,
    });
    const { promise, resolve } = Promise.withResolvers<Typed>();
    reader.once('line', (line) => resolve({ line }));
    reader.once('SIGINT', () => resolve({ key: 'interrupt' }));
    reader.once('close', () => resolve({ key: 'end' }));
    reader.prompt();
    const typed = await promise;
    reader.close();
    input.setRawMode(true);
    if (isHidden || 'key' in typed) output.write('\n');
    if (!isHidden && 'line' in typed && typed.line.trim() !== '') this.#history.unshift(typed.line);
    return typed;
  }

  /** Reports Ctrl-C until it is disposed of. */
  watch(onInterrupt: () => void): Disposable {
    const { input } = this.#terminal;
    const read = (data: Buffer | string): void => {
      if (data.toString().includes(CTRL_C)) onInterrupt();
    };
    input.setRawMode(true);
    input.on('data', read);
    input.resume();
    return {
      [Symbol.dispose]() {
        input.off('data', read);
        input.pause();
      },
    };
  }

  /** Leaves the terminal as it was. */
  [Symbol.dispose](): void {
    this.#terminal.input.setRawMode(false);
  }
}
