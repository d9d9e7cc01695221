/**
 * Fires after a time unless it is disposed of before. `AbortSignal.timeout` would do, but may be collected as garbage
 * when only a signal that was combined from it is left.
 */
export class Deadline implements Disposable {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(milliseconds: number) {
    const reason = new DOMException('The time is up.', 'TimeoutError');
    this.#timer = setTimeout(() => this.#controller.abort(reason), milliseconds);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
