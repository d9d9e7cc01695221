import { getSystemErrorMessage, styleText } from 'node:util';
import { CommandError } from '../usage-error.ts';

const MIN_COLUMNS = 60;
const DEFAULT_COLUMNS = 100;
/** Longer lines are hard to read. */
const MAX_COLUMNS = 120;

/** Where the program writes to, and whether a person reads it. */
export interface Terminal {
  /** Writes what the user asked for to stdout: a command whose output cannot be written has failed. */
  out(text: string): void;
  /** Writes what a server says of itself to stdout. A server does not depend on somebody reading it. */
  announce(text: string): void;
  /** Writes to stderr. What cannot be written, on a full disk or to a closed pipe, is dropped. */
  error(text: string): void;
  /** Resolves when all output so far is written. Rejects with a CommandError if it could not be, unless its reader left. */
  written(): Promise<void>;
  /** Whether stderr is a terminal, not a file or a pipe. */
  readonly errorsAreWatched: boolean;
  /** How wide help texts may be. */
  readonly columns: number;
  /** Styles a text on a terminal; returns it unchanged elsewhere. */
  style(format: 'bold' | 'dim' | 'red' | 'yellow', text: string): string;
  /** For commands that talk with a person: only if there is one, at the keyboard and at the screen. */
  readonly interactive?: InteractiveTerminal | undefined;
}

/** A keyboard and a screen. */
export interface InteractiveTerminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly isColoured: boolean;
}

/** Uses colours only on a terminal, and not with NO_COLOR set. */
export function createTerminal(
  output: NodeJS.WriteStream,
  errors: NodeJS.WriteStream,
  environment: Readonly<Record<string, string | undefined>>,
  keyboard?: () => NodeJS.ReadStream,
): Terminal {
  const coloured = output.isTTY && errors.isTTY && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb';
  // Without listeners, a failed write would be an uncaught exception, and logging that would be the next failed write.
  for (const stream of [output, errors]) stream.on('error', () => {});
  const writes: Promise<void>[] = [];
  return {
    out(text) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      output.write(text, (error) => (error ? reject(error) : resolve()));
      writes.push(promise);
      // Whoever waits for the writes handles it.
      promise.catch(() => {});
    },
    announce: (text) => void output.write(text),
    error: (text) => void errors.write(text),
    async written() {
      try {
        await Promise.all(writes.splice(0));
      } catch (error) {
        if (isSystemError(error) && error.code === 'EPIPE') return;
        throw new CommandError(`Could not write the output: ${whyUnwritten(error)}.`, { cause: error });
      }
    },
    // Asked for by the few commands that need it: opening a keyboard takes time.
    get interactive() {
      if (!output.isTTY || environment['TERM'] === 'dumb') return undefined;
      const input = keyboard?.();
      return input?.isTTY === true ? { input, output, isColoured: coloured } : undefined;
    },
    errorsAreWatched: errors.isTTY,
    columns: output.isTTY ? Math.min(Math.max(output.columns, MIN_COLUMNS), MAX_COLUMNS) : DEFAULT_COLUMNS,
    style: (format, text) => (coloured ? styleText(format, text, { validateStream: false }) : text),
  };
}

/** Node's own message names the system call as well. */
function whyUnwritten(error: unknown): string {
  return isSystemError(error) && error.errno !== undefined
    ? getSystemErrorMessage(error.errno)
    : String(error);
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error;
}
