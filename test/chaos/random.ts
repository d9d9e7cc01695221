import { createHash } from 'node:crypto';

/** A seeded random generator: the same seed makes the same choices in the same order. */
export class Random {
  readonly seed: string;
  #drawn = 0;

  constructor(seed: string) {
    this.seed = seed;
  }

  /** From 0 (inclusive) to 1 (exclusive). */
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
    if (item === undefined) throw new Error('Cannot pick from an empty list.');
    return item;
  }

  /** A separate source, so that one part does not affect the choices of another. */
  fork(name: string): Random {
    return new Random(`${this.seed}/${name}`);
  }
}

/** The seed in `HOLDWORD_CHAOS_SEED`, which repeats a campaign, or a new one. */
export function campaignSeed(): string {
  return process.env['HOLDWORD_CHAOS_SEED'] ?? Date.now().toString(36);
}
