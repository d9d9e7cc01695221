interface SlotPool {
  running: number;
  waiting: (() => void)[];
}

/**
 * Slots for deliveries, limited per origin and in total. A slow receiver uses up its own slots, not those of others.
 * Waiting deliveries are served in order.
 */
export class DeliverySlots {
  readonly #perOrigin: number;
  readonly #all: SlotPool = { running: 0, waiting: [] };
  readonly #origins = new Map<string, SlotPool>();
  readonly #total: number;

  constructor(total: number, perOrigin: number) {
    this.#total = total;
    this.#perOrigin = perOrigin;
  }

  async use<T>(origin: string, work: () => Promise<T>): Promise<T> {
    let pool = this.#origins.get(origin);
    if (pool === undefined) this.#origins.set(origin, (pool = { running: 0, waiting: [] }));
    await acquire(pool, this.#perOrigin);
    await acquire(this.#all, this.#total);
    try {
      return await work();
    } finally {
      release(this.#all);
      release(pool);
      if (pool.running === 0 && this.#origins.get(origin) === pool) this.#origins.delete(origin);
    }
  }
}

async function acquire(pool: SlotPool, limit: number): Promise<void> {
  if (pool.running < limit) pool.running += 1;
  else await new Promise<void>((resolve) => pool.waiting.push(resolve));
}

/** Passes the slot to the delivery that has waited longest. */
function release(pool: SlotPool): void {
  const next = pool.waiting.shift();
  if (next === undefined) pool.running -= 1;
  else next();
}
