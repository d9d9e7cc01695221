import { styleText } from 'node:util';

/** Where the program writes to, and whether a person watches. */
export interface Terminal {
  out(text: string): void;
  error(text: string): void;
  /** Whether a person reads the errors, and not a file or a program. */
  readonly errorsAreWatched: boolean;
  /** Marks a text for the eye; plain when nobody watches. */
  style(format: 'bold' | 'dim' | 'red' | 'yellow', text: string): string;
}

/** Colours only where a person watches and has not said NO_COLOR. */
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
    style: (format, text) => (coloured ? styleText(format, text, { validateStream: false }) : text),
  };
}
