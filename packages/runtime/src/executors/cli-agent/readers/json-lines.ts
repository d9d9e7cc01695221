import { parseJson } from '../../json-value.ts';

/** Cuts text that arrives in pieces into lines, and gives the values of those that are JSON. Others are skipped. */
export class JsonLines {
  #unfinished = '';

  /** The values of the lines that this piece completes. */
  add(text: string): unknown[] {
    const lines = (this.#unfinished + text).split('\n');
    this.#unfinished = lines.pop() ?? '';
    return valuesOf(lines);
  }

  /** The value of a last line that no line end follows. */
  end(): unknown[] {
    const last = this.#unfinished;
    this.#unfinished = '';
    return valuesOf([last]);
  }
}

function valuesOf(lines: readonly string[]): unknown[] {
  return lines.map((line) => parseJson(line)).filter((value) => value !== undefined);
}
