/** Lets actors rest between two scenes: whoever plays plays on to the end of the scene, and begins no other. */
export class Intermission {
  #isOver = Promise.withResolvers<void>();
  #areAllResting = Promise.withResolvers<void>();
  #playing = 0;

  constructor() {
    this.#isOver.resolve();
  }

  /** Plays a scene, after the intermission if there is one. */
  async play(scene: () => Promise<void>): Promise<void> {
    await this.#isOver.promise;
    this.#playing += 1;
    try {
      await scene();
    } finally {
      this.#playing -= 1;
      if (this.#playing === 0) this.#areAllResting.resolve();
    }
  }

  /** Resolves when nobody plays any more. */
  async begin(): Promise<void> {
    this.#isOver = Promise.withResolvers();
    this.#areAllResting = Promise.withResolvers();
    if (this.#playing > 0) await this.#areAllResting.promise;
  }

  end(): void {
    this.#isOver.resolve();
  }
}
