import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Screen } from './screen.ts';

const PROGRAM = join(import.meta.dirname, 'run-in-terminal.py');
const MAIN = join(import.meta.dirname, '..', '..', '..', 'packages', 'cli', 'src', 'main.ts');
const PATIENCE_MILLISECONDS = 60_000;
const KEYS = { enter: '\r', 'ctrl-c': '\u0003', 'ctrl-d': '\u0004' };

/** Whether pseudo-terminals can be had here: Python has them, and Node has none without a native module. */
export const HAS_TERMINALS =
  process.platform !== 'win32' && spawnSync('python3', ['-c', 'import pty, termios']).status === 0;

if (!HAS_TERMINALS) {
  process.stderr.write('Tests in a terminal are skipped: there is no python3 with pseudo-terminals.\n');
}

/** `holdword` in a terminal, with somebody at the keyboard. */
export interface TerminalSession {
  /** What the terminal shows, with what has scrolled away. */
  text(): string;
  /** Everything that was written to the terminal. */
  raw(): string;
  /** Resolves when the text matches. */
  shows(pattern: RegExp): Promise<RegExpExecArray>;
  type(text: string): void;
  press(key: keyof typeof KEYS): void;
  /** The exit code. */
  readonly ended: Promise<number | null>;
}

export interface TerminalOptions {
  readonly cwd: string;
  readonly columns?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts `holdword` in a terminal. Killed when the test ends. */
export function startInTerminal(
  words: readonly string[],
  { cwd, columns = 100, environment = {} }: TerminalOptions,
): TerminalSession {
  const child = spawn('python3', [PROGRAM, String(columns), '40', process.execPath, MAIN, ...words], {
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: cwd,
      TERM: 'xterm-256color',
      NODE_NO_WARNINGS: '1',
      ...environment,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const screen = new Screen(columns);
  let raw = '';
  let more = Promise.withResolvers<void>();
  let isOver = false;
  const wake = (): void => {
    more.resolve();
    more = Promise.withResolvers();
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    raw += text;
    screen.write(text);
    wake();
  });
  const ended = once(child, 'close').then(([code]: (number | null)[]) => {
    isOver = true;
    wake();
    return code ?? null;
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    text: () => screen.text,
    raw: () => raw,
    ended,
    async shows(pattern) {
      const late = AbortSignal.timeout(PATIENCE_MILLISECONDS);
      late.addEventListener('abort', wake);
      for (;;) {
        const match = pattern.exec(screen.text);
        if (match !== null) return match;
        if (isOver || late.aborted) {
          throw new Error(
            `The terminal ${isOver ? 'closed' : 'stayed'} without showing ${pattern}:\n${screen.text}`,
          );
        }
        await more.promise;
      }
    },
    type: (text) => void child.stdin.write(text),
    press: (key) => void child.stdin.write(KEYS[key]),
  };
}
