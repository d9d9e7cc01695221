import { styleText } from 'node:util';

const MIN_COLUMNS = 60;
const DEFAULT_COLUMNS = 100;
/** Longer lines are hard to read. */
const MAX_COLUMNS = 120;

/** Where the program writes to, and whether a person reads it. */
export interface Terminal {
  out(text: string): void;
  error(text: string): void;
  /** Whether stderr is a terminal, not a file or a pipe. */
  readonly errorsAreWatched: boolean;
  /** How wide help texts may be. */
  readonly columns: number;
  /** Styles a text on a terminal; returns it unchanged elsewhere. */
  style(format: 'bold' | 'dim' | 'red' | 'yellow', text: string): string;
}

/** Uses colours only on a terminal, and not with NO_COLOR set. */
export function createTerminal(
  output: NodeJS.WriteStream,
  errors: NodeJS.WriteStream,
  environment: Readonly<Record<string, string | undefined>>,
): Terminal {
  const coloured = output.isTTY && errors.isTTY && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb';
  return {
    out: (text) => void output.write(text),
    error: (text) => void errors.write(text),
    errorsAreWatched: errors.isTTY,
    columns: output.isTTY ? Math.min(Math.max(output.columns, MIN_COLUMNS), MAX_COLUMNS) : DEFAULT_COLUMNS,
    style: (format, text) => (coloured ? styleText(format, text, { validateStream: false }) : text),
  };
}
