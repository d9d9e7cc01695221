import { parseJson } from '../json-value.ts';
import type { CliEnd, CliOutcome, CliOutput, CliReader } from './profile.ts';

/** A reader for programs that do not stream: reads the whole output when the process has exited. */
export function wholeOutputReader(
  interpret: (output: string, end: CliEnd) => CliOutcome | Promise<CliOutcome>,
): CliReader {
  const pieces: string[] = [];
  return {
    read: (text) => {
      pieces.push(text);
      return [];
    },
    finish: (end) => interpret(pieces.join(''), end),
  };
}

/** Splits text that arrives in chunks into lines, and parses those that are JSON. Others are skipped. */
export class JsonLines {
  /** The pieces of a line that has not ended. They are joined once: a line may be as long as the whole output. */
  #unfinished: string[] = [];

  /** The values of the lines that this chunk completes. */
  add(text: string): unknown[] {
    const [first = '', ...further] = text.split('\n');
    this.#unfinished.push(first);
    const last = further.pop();
    if (last === undefined) return [];
    const completed = [this.#unfinished.join(''), ...further];
    this.#unfinished = [last];
    return valuesOf(completed);
  }

  /** The value of a last line without a line break. */
  end(): unknown[] {
    const last = this.#unfinished.join('');
    this.#unfinished = [];
    return valuesOf([last]);
  }
}

function valuesOf(lines: readonly string[]): unknown[] {
  return lines.map((line) => parseJson(line)).filter((value) => value !== undefined);
}

/** Joins the messages of an agent in one turn, each as a new paragraph. */
export class AnswerText {
  #text = '';
  #betweenMessages = false;

  /** The whole text so far. */
  get whole(): string {
    return this.#text;
  }

  /** Further text belongs to another message. */
  endMessage(): void {
    this.#betweenMessages = this.#text !== '';
  }

  /** Adds text to the current message. */
  add(text: string): CliOutput[] {
    if (text === '') return [];
    const added = this.#betweenMessages ? `\n\n${text}` : text;
    this.#betweenMessages = false;
    this.#text += added;
    return [{ kind: 'text', text: added }];
  }
}

/** The outcome of a program that failed, from its exit code and stderr. */
export function failedProcess(name: string, end: CliEnd): Extract<CliOutcome, { state: 'failed' }> {
  const how = end.signal === null ? `exited with code ${end.exitCode}` : `was killed by ${end.signal}`;
  const text = `The agent ${name} ${how}${end.reason === '' ? ' without an error message.' : `: ${end.reason}`}`;
  return { state: 'failed', text, metadata: { exitCode: end.exitCode ?? end.signal } };
}
