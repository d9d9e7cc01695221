/**
 * Aborts its signal after a timeout unless it is disposed first. `AbortSignal.timeout` may be garbage collected when only a
 * signal combined from it is referenced.
 */
export class Deadline implements Disposable {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(milliseconds: number) {
    const reason = new DOMException('The operation timed out.', 'TimeoutError');
    this.#timer = setTimeout(() => this.#controller.abort(reason), milliseconds);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
