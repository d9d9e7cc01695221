import type { CliOutput } from '../profile.ts';

/** Joins what an agent says in several messages of one turn: each begins a paragraph of its own. */
export class AnswerText {
  #text = '';
  #betweenMessages = false;

  /** Everything said so far. */
  get whole(): string {
    return this.#text;
  }

  /** What comes next is another message. */
  endMessage(): void {
    this.#betweenMessages = this.#text !== '';
  }

  /** More of the current message. */
  add(text: string): CliOutput[] {
    if (text === '') return [];
    const added = this.#betweenMessages ? `\n\n${text}` : text;
    this.#betweenMessages = false;
    this.#text += added;
    return [{ kind: 'text', text: added }];
  }
}
