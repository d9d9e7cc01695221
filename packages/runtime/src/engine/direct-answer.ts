import type { Message } from '@holdword/protocol';

/** The open decision of a turn that may end in a plain message: task or no task? The first output decides, once. */
export class DirectAnswer {
  readonly decided: Promise<Message | undefined>;
  readonly #decide: (message: Message | undefined) => void;
  readonly #reject: (error: Error) => void;
  readonly #createTask: () => void;
  #open = true;

  constructor(createTask: () => void) {
    const { promise, resolve, reject } = Promise.withResolvers<Message | undefined>();
    this.decided = promise;
    this.#decide = resolve;
    this.#reject = reject;
    this.#createTask = createTask;
  }

  get open(): boolean {
    return this.#open;
  }

  answer(message: Message): void {
    this.#open = false;
    this.#decide(message);
  }

  /** Some output needs a task: from here on there is one. */
  becomeTask(): void {
    if (!this.#open) return;
    this.#open = false;
    try {
      this.#createTask();
    } catch (error) {
      this.#reject(error as Error);
      throw error;
    }
    this.#decide(undefined);
  }

  /** The turn ended without any output, for example because the server stops. */
  reject(error: Error): void {
    if (!this.#open) return;
    this.#open = false;
    this.#reject(error);
  }
}
