import { highWord, lowWord } from './fingerprint.ts';

/** Slots that several counters share, so that many of them together stay within one size. */
export class SlotPool {
  #free: number;

  constructor(slots: number) {
    this.#free = slots;
  }

  /** Whether there were so many slots left. */
  take(slots: number): boolean {
    if (slots > this.#free) return false;
    this.#free -= slots;
    return true;
  }
}

const FIRST_SLOTS = 16;
/** So many slots every counter may have, whatever the others have taken. */
const OWN_SLOTS = 1024;
const FULLEST = 5 / 8;

/**
 * Counts how many different fingerprints it is shown, in bounded memory: exactly as long as they find room, and otherwise
 * by those of them that a rule picks, half as many each time the room is used up.
 */
export class UniqueCounter {
  readonly #pool: SlotPool;
  #slots = new Float64Array(FIRST_SLOTS);
  #used = 0;
  /** Only fingerprints whose high word ends with so many zero bits are kept. */
  #level = 0;

  constructor(pool: SlotPool) {
    this.#pool = pool;
  }

  get isExact(): boolean {
    return this.#level === 0;
  }

  get count(): number {
    return this.#used * 2 ** this.#level;
  }

  add(print: number): void {
    if (!this.#isPicked(print) || !this.#insert(print)) return;
    if (this.#used > this.#slots.length * FULLEST) this.#makeRoom();
  }

  #isPicked(print: number): boolean {
    return this.#level === 0 || (highWord(print) & ((1 << this.#level) - 1)) === 0;
  }

  /** False when it was there. */
  #insert(print: number): boolean {
    const mask = this.#slots.length - 1;
    let index = lowWord(print) & mask;
    for (let found = this.#slots[index]; found !== 0; found = this.#slots[index]) {
      if (found === print) return false;
      index = (index + 1) & mask;
    }
    this.#slots[index] = print;
    this.#used += 1;
    return true;
  }

  #makeRoom(): void {
    const slots = this.#slots.length;
    if (slots < OWN_SLOTS || this.#pool.take(slots)) this.#refill(slots * 2);
    else {
      this.#level += 1;
      this.#refill(slots);
    }
  }

  #refill(slots: number): void {
    const prints = this.#slots;
    this.#slots = new Float64Array(slots);
    this.#used = 0;
    for (const print of prints) {
      if (print !== 0 && this.#isPicked(print)) this.#insert(print);
    }
  }
}
