import { createHash } from 'node:crypto';

/** Choices that a seed decides: the same seed makes the same choices in the same order. */
export class Random {
  readonly seed: string;
  #drawn = 0;

  constructor(seed: string) {
    this.seed = seed;
  }

  /** From 0 up to, not including, 1. */
  fraction(): number {
    this.#drawn += 1;
    const digest = createHash('sha256').update(`${this.seed}:${this.#drawn}`).digest();
    return digest.readUInt32LE() / 2 ** 32;
  }

  /** Both bounds included. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.integer(0, items.length - 1)];
    if (item === undefined) throw new Error('There is nothing to pick from.');
    return item;
  }

  /** A source of its own, so that what one part draws does not change what another gets. */
  fork(name: string): Random {
    return new Random(`${this.seed}/${name}`);
  }
}

/** From `HOLDWORD_CHAOS_SEED`, to run a campaign again as it was, or a new one. */
export function campaignSeed(): string {
  return process.env['HOLDWORD_CHAOS_SEED'] ?? Date.now().toString(36);
}
