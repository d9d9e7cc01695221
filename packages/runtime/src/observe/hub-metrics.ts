import { Counter, type Registry } from 'prom-client';

/** How many calls of a method of a hub ended in one way: OK, or the code they were refused with. */
export interface HubCalls {
  readonly method: string;
  readonly outcome: string;
  readonly count: number;
}

/** Shows the calls of a hub that is served beside the agent. */
export function watchHub(registry: Registry, calls: () => readonly HubCalls[]): void {
  const shown = new Counter({
    name: 'holdword_hub_requests_total',
    help: 'Calls of the hub that have ended, by method and outcome.',
    labelNames: ['method', 'outcome'],
    registers: [],
    collect() {
      this.reset();
      for (const { method, outcome, count } of calls()) this.inc({ method, outcome }, count);
    },
  });
  registry.registerMetric(shown);
}
