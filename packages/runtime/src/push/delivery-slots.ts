import { FairSlots } from '../fair-slots.ts';

export interface DeliverySlotsOptions {
  /** Concurrent deliveries. */
  total: number;
  /** Concurrent deliveries of one caller to one host. */
  perHost: number;
  /** How much of the total is kept for callers who use little of it. */
  reservedPercent: number;
}

/**
 * Slots for deliveries, shared between the callers who want to be notified: a slow receiver delays the notifications of the
 * caller who named it. Within a caller they are limited per host, whatever the port, so that one slow host does not delay
 * the caller's others.
 */
export class DeliverySlots {
  readonly #slots: FairSlots;

  constructor({ total, perHost, reservedPercent }: DeliverySlotsOptions) {
    this.#slots = new FairSlots({ total, reservedPercent, perLane: perHost });
  }

  get running(): number {
    return this.#slots.running;
  }

  /** While deliveries wait, one that has a slot should not keep it for long. */
  get waiting(): number {
    return this.#slots.waiting;
  }

  /** Anonymous callers have no name, and share all slots. */
  async use<T>(caller: string | undefined, host: string, work: () => Promise<T>): Promise<T> {
    const slot = this.#slots.enter({ caller, lane: JSON.stringify([caller, host]) });
    try {
      await slot.ready;
      return await work();
    } finally {
      slot.release();
    }
  }
}
