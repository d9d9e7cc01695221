/** A client that makes an agent echo a text, ready for many calls. */
export interface Caller extends AsyncDisposable {
  /** Resolves when the response has arrived and is correct. */
  call(): Promise<void>;
}
