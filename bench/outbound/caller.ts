/** One way to have an agent echo a text, ready for many calls. */
export interface Caller extends AsyncDisposable {
  /** Resolves when the answer is there and is what it should be. */
  call(): Promise<void>;
}
