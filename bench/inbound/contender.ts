/** A way to run a text turn of OpenClaw. */
export interface Contender {
  readonly name: string;
  readonly title: string;
  /** Runs one turn in a context of this name and returns the milliseconds it took. */
  turn(contextId: string): Promise<number>;
}

/** The message to the model, and its immediate reply. */
export const QUESTION = 'go';
export const ANSWER = 'gone';
