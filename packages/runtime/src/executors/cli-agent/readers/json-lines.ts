import { parseJson } from '../../json-value.ts';

/** Splits text that arrives in chunks into lines, and parses those that are JSON. Others are skipped. */
export class JsonLines {
  #unfinished = '';

  /** The values of the lines that this chunk completes. */
  add(text: string): unknown[] {
    const lines = (this.#unfinished + text).split('\n');
    this.#unfinished = lines.pop() ?? '';
    return valuesOf(lines);
  }

  /** The value of a last line without a line break. */
  end(): unknown[] {
    const last = this.#unfinished;
    this.#unfinished = '';
    return valuesOf([last]);
  }
}

function valuesOf(lines: readonly string[]): unknown[] {
  return lines.map((line) => parseJson(line)).filter((value) => value !== undefined);
}
