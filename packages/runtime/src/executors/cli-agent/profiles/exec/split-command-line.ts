import { AgentOptionsError } from '../../../executor-errors.ts';

/**
 * Splits a command line into words like a shell: at whitespace, with 'single' and "double" quotes and backslashes. There
 * are no variables, patterns or pipes: no shell ever runs it.
 */
export function splitCommandLine(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index] as string;
    if (character === '\\' && escapes(quote, line[index + 1])) {
      index += 1;
      word = (word ?? '') + (line[index] as string);
    } else if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== undefined) throw new AgentOptionsError(`Missing closing ${quote} in the command: ${line}`);
  if (word !== undefined) words.push(word);
  return words;
}

/** Inside double quotes a backslash is literal, except before a double quote or a backslash. */
function escapes(quote: string | undefined, next: string | undefined): boolean {
  if (next === undefined || quote === "'") return false;
  return quote === undefined || next === '"' || next === '\\';
}
