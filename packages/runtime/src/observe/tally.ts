import { Counter, type Registry } from 'prom-client';

/**
 * A counter with labels that costs one map lookup per count. The library's own counter builds and sorts a label set
 * every time; here that happens when the metrics are read.
 */
export class Tally<Label extends string> {
  readonly #counts = new Map<string, { labels: Record<Label, string>; count: number }>();

  constructor(registry: Registry, options: { name: string; help: string; labelNames: readonly Label[] }) {
    const counts = this.#counts;
    const shown = new Counter({
      ...options,
      registers: [],
      collect() {
        this.reset();
        for (const { labels, count } of counts.values()) this.inc(labels, count);
      },
    });
    registry.registerMetric(shown);
  }

  /** `key` stands for the labels, which are created once per key, so there must be few keys. */
  count(key: string, labels: () => Record<Label, string>): void {
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { labels: labels(), count: 1 });
    else known.count += 1;
  }
}
