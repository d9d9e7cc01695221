import type { Fingerprint } from './fingerprint.ts';

/** Up to this many values are counted with the larger table. */
const DEFAULT_VALUES = 1_000_000;
const DEFAULT_SLOTS = 2 ** 20;
/** Half a megabyte fits into a processor's cache, which matters with more values. */
const CACHED_SLOTS = 2 ** 16;

/** Slots shared by several counters, so that their total size is bounded. */
export class SlotPool {
  #free: number;

  constructor(slots: number) {
    this.#free = slots;
  }

  static forValues(values: number): SlotPool {
    return new SlotPool(values <= DEFAULT_VALUES ? DEFAULT_SLOTS : CACHED_SLOTS);
  }

  /** Takes slots if enough are left; returns whether it did. */
  take(slots: number): boolean {
    if (slots > this.#free) return false;
    this.#free -= slots;
    return true;
  }
}

const FIRST_SLOTS = 16;
/** Every counter can have this many slots, whatever the others have taken. */
const OWN_SLOTS = 1024;
const MAX_LOAD = 5 / 8;

/**
 * Counts distinct fingerprints in bounded memory: exactly while they fit, otherwise by adaptive sampling, which halves the
 * sample each time the table is full.
 */
export class UniqueCounter {
  readonly #pool: SlotPool;
  /** Two words per slot; a slot with two zeros is empty. */
  #slots = new Int32Array(FIRST_SLOTS * 2);
  #mask = FIRST_SLOTS - 1;
  #used = 0;
  /** Only fingerprints whose high word ends with this many zero bits are kept. */
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

  add({ low, high }: Fingerprint): void {
    if ((high & ((1 << this.#level) - 1)) !== 0) return;
    this.#insert(low === 0 && high === 0 ? 1 : low, high);
    if (this.#used > (this.#mask + 1) * MAX_LOAD) this.#makeRoom();
  }

  #insert(low: number, high: number): void {
    const slots = this.#slots;
    for (let slot = low & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const foundLow = slots[slot * 2];
      const foundHigh = slots[slot * 2 + 1];
      if (foundLow === low && foundHigh === high) return;
      if (foundLow === 0 && foundHigh === 0) {
        slots[slot * 2] = low;
        slots[slot * 2 + 1] = high;
        this.#used += 1;
        return;
      }
    }
  }

  #makeRoom(): void {
    const slots = this.#mask + 1;
    if (slots < OWN_SLOTS || this.#pool.take(slots)) this.#refill(slots * 2);
    else {
      this.#level += 1;
      this.#refill(slots);
    }
  }

  #refill(slots: number): void {
    const prints = this.#slots;
    this.#slots = new Int32Array(slots * 2);
    this.#mask = slots - 1;
    this.#used = 0;
    for (let index = 0; index < prints.length; index += 2) {
      const low = prints[index] ?? 0;
      const high = prints[index + 1] ?? 0;
      const isPicked = (high & ((1 << this.#level) - 1)) === 0;
      if (isPicked && (low !== 0 || high !== 0)) this.#insert(low, high);
    }
  }
}
