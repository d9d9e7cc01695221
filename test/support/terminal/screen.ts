/* oxlint-disable no-control-regex -- terminals are controlled by them */

/** What a terminal shows, with everything that has scrolled out of it: text, and the few sequences that programs use to move. */
export class Screen {
  readonly #lines: string[][] = [[]];
  readonly #columns: number;
  #row = 0;
  #column = 0;
  #rest = '';

  constructor(columns: number) {
    this.#columns = columns;
  }

  /** Its text, without spaces at the ends of lines. */
  get text(): string {
    return this.#lines.map((line) => line.join('').trimEnd()).join('\n');
  }

  write(text: string): void {
    let left = this.#rest + text;
    this.#rest = '';
    while (left !== '') {
      const [escape, parameters = '', command = ''] = /^\u001b\[([\d;?]*)([A-Za-z])/.exec(left) ?? [];
      if (escape !== undefined) {
        this.#control(command, Number(parameters.split(';')[0]) || 0);
        left = left.slice(escape.length);
        continue;
      }
      if (left.startsWith('\u001b') && left.length < 12) {
        this.#rest = left;
        return;
      }
      const [character = ''] = left;
      this.#put(character);
      left = left.slice(character.length);
    }
  }

  #put(character: string): void {
    if (character === '\r') this.#column = 0;
    else if (character === '\n') this.#moveTo(this.#row + 1);
    else if (character === '\b') this.#column = Math.max(0, this.#column - 1);
    else if (character >= ' ') {
      if (this.#column >= this.#columns) {
        this.#moveTo(this.#row + 1);
        this.#column = 0;
      }
      const line = this.#lines[this.#row] ?? [];
      while (line.length < this.#column) line.push(' ');
      line[this.#column] = character;
      this.#column += 1;
    }
  }

  #moveTo(row: number): void {
    this.#row = Math.max(0, row);
    while (this.#lines.length <= this.#row) this.#lines.push([]);
  }

  #control(command: string, count: number): void {
    const line = this.#lines[this.#row] ?? [];
    switch (command) {
      case 'A':
        return this.#moveTo(this.#row - (count || 1));
      case 'B':
        return this.#moveTo(this.#row + (count || 1));
      case 'C':
        this.#column += count || 1;
        return;
      case 'D':
        this.#column = Math.max(0, this.#column - (count || 1));
        return;
      case 'G':
        this.#column = (count || 1) - 1;
        return;
      case 'K':
        line.length = Math.min(line.length, this.#column);
        return;
      case 'J':
        line.length = Math.min(line.length, this.#column);
        this.#lines.length = this.#row + 1;
        return;
      default:
    }
  }
}
