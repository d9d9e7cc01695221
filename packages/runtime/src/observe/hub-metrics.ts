import { Counter, type Registry } from 'prom-client';

/** How many requests of a hub method ended with one outcome: OK, or the code of the error. */
export interface HubCalls {
  readonly method: string;
  readonly outcome: string;
  readonly count: number;
}

/** Exposes the requests of a hub that is served next to the agent. */
export function watchHub(registry: Registry, calls: () => readonly HubCalls[]): void {
  const shown = new Counter({
    name: 'holdword_hub_requests_total',
    help: 'Completed requests of the hub, by method and outcome.',
    labelNames: ['method', 'outcome'],
    registers: [],
    collect() {
      this.reset();
      for (const { method, outcome, count } of calls()) this.inc({ method, outcome }, count);
    },
  });
  registry.registerMetric(shown);
}
