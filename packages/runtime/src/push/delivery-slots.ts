interface Lane {
  running: number;
  waiting: (() => void)[];
}

/**
 * Places for deliveries: so many to one origin, so many in all. A receiver that answers slowly keeps its own places
 * busy, not those of others. Whoever waits is served in order.
 */
export class DeliverySlots {
  readonly #perOrigin: number;
  readonly #all: Lane = { running: 0, waiting: [] };
  readonly #lanes = new Map<string, Lane>();
  readonly #total: number;

  constructor(total: number, perOrigin: number) {
    this.#total = total;
    this.#perOrigin = perOrigin;
  }

  async use<T>(origin: string, work: () => Promise<T>): Promise<T> {
    let lane = this.#lanes.get(origin);
    if (lane === undefined) this.#lanes.set(origin, (lane = { running: 0, waiting: [] }));
    await enter(lane, this.#perOrigin);
    await enter(this.#all, this.#total);
    try {
      return await work();
    } finally {
      leave(this.#all);
      leave(lane);
      if (lane.running === 0 && this.#lanes.get(origin) === lane) this.#lanes.delete(origin);
    }
  }
}

async function enter(lane: Lane, limit: number): Promise<void> {
  if (lane.running < limit) lane.running += 1;
  else await new Promise<void>((resolve) => lane.waiting.push(resolve));
}

/** The place goes to the one who waits longest. */
function leave(lane: Lane): void {
  const next = lane.waiting.shift();
  if (next === undefined) lane.running -= 1;
  else next();
}
