/** One way to have a text turn of OpenClaw. */
export interface Contender {
  readonly name: string;
  readonly title: string;
  /** Has one turn in a context of this name and gives the milliseconds it took. */
  turn(contextId: string): Promise<number>;
}

/** What the model is asked, and what it answers at once. */
export const QUESTION = 'go';
export const ANSWER = 'gone';
