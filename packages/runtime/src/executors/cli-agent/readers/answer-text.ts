import type { CliOutput } from '../profile.ts';

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
