import { echoExchange } from './load/exchanges.ts';
import { spreadLoop } from './load/spread-loop.ts';
import type { BenchOptions } from './options.ts';
import { formatEventDelays } from './replicas/event-delay-table.ts';
import { measureEventDelays, type EventDelays } from './replicas/event-delays.ts';
import { formatSendCosts } from './replicas/send-cost-table.ts';
import { measureSendCost, type SendCost } from './replicas/send-cost.ts';
import {
  ALONE,
  REPLICAS,
  SDK,
  startContenders,
  WITH_EFFECTS,
  type RunningContenders,
} from './replicas/start-contenders.ts';
import { ratiosOver } from './report/rate.ts';
import { formatRates } from './report/rate-table.ts';
import type { BenchResult } from './report/report.ts';
import { atLeast, atMost } from './report/target.ts';
import { withSuffix } from './report/with-suffix.ts';
import { measureRates, warmUp, type Load } from './rounds.ts';

const LOAD: Load = { unit: 'requests', exchange: echoExchange };
const TIMES_SDK = 3;
const MORE_MILLISECONDS = 25;
const SAMPLES = { full: 300, quick: 20 };
/** Enough to keep both replicas busy, and few enough that a reader does not wait in a long queue. */
const LOAD_CONNECTIONS = 8;

/** Sends with one and with two replicas on PostgreSQL, and the delay of events on the other replica. */
export async function replicas(options: BenchOptions): Promise<BenchResult> {
  await using running = await startContenders(options.dataFolder);
  const { contenders } = running;
  await warmUp(contenders, options, LOAD);
  const rates = await measureRates(contenders, options, LOAD);
  const overSdk = Object.fromEntries(
    [ALONE, WITH_EFFECTS, REPLICAS].map(({ name }) => [name, ratiosOver(rates, name)[SDK.name]]),
  );
  options.progress('measuring the cost of a send');
  const costs = await measureCosts(running, options);
  options.progress('following events on both replicas');
  const samples = options.quick ? SAMPLES.quick : SAMPLES.full;
  const [owner, other] = running.replicas;
  const quiet = await measureEventDelays(owner.url, other.url, samples);
  const underLoad = await measureUnderLoad([owner.url, other.url], samples);
  return {
    report: {
      bench: 'replicas',
      peers: {
        ...rates,
        ...withSuffix(costs, 'cost'),
        'events-quiet': quiet,
        'events-under-load': underLoad,
      },
      ratios: ratiosOver(rates, ALONE.name),
      targets: [
        atLeast('sends/s over the SDK, one replica', TIMES_SDK, overSdk[ALONE.name]),
        atLeast('sends/s over the SDK, an agent with effects', TIMES_SDK, overSdk[WITH_EFFECTS.name]),
        atLeast('sends/s over the SDK, two replicas', TIMES_SDK, overSdk[REPLICAS.name]),
        atMost('ms later on the other replica, p50, quiet', MORE_MILLISECONDS, quiet.moreP50),
        atMost('ms later on the other replica, p50, under load', MORE_MILLISECONDS, underLoad.moreP50),
      ],
    },
    tables: [
      formatRates(
        'blocking send of an echo task, PostgreSQL',
        LOAD.unit,
        [SDK, ALONE, WITH_EFFECTS, REPLICAS],
        rates,
        ratiosOver(rates, ALONE.name),
      ),
      formatSendCosts([SDK, ALONE, WITH_EFFECTS, REPLICAS], costs),
      formatEventDelays('quiet', quiet),
      formatEventDelays('under load', underLoad),
    ],
  };
}

async function measureCosts(
  { postgres, servers, replicas: [owner, other] }: RunningContenders,
  options: BenchOptions,
): Promise<Record<string, SendCost>> {
  const costs: Record<string, SendCost> = {};
  for (const [name, server] of Object.entries(servers)) {
    costs[name] = await measureSendCost(postgres, options, server);
  }
  costs[REPLICAS.name] = await measureSendCost(postgres, options, owner, other);
  return costs;
}

/** Measures while both replicas process sends. */
async function measureUnderLoad(urls: readonly [URL, URL], samples: number): Promise<EventDelays> {
  let isOver = false;
  const load = spreadLoop({
    urls,
    connections: LOAD_CONNECTIONS,
    shouldContinue: () => !isOver,
    exchange: LOAD.exchange,
  });
  const [delays] = await Promise.all([
    measureEventDelays(...urls, samples).finally(() => (isOver = true)),
    load,
  ]);
  return delays;
}
