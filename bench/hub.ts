import { registerAgents } from './hub/bench-agents.ts';
import { growthCost, type HubSizes } from './hub/growth-cost.ts';
import {
  agentExchange,
  echoExchange,
  HEARTBEAT,
  REGISTER,
  registerExchange,
  SEND,
  type HubRequest,
} from './hub/hub-exchanges.ts';
import { ECHO, hubPeer } from './hub/hub-peers.ts';
import type { Exchange } from './load/closed-loop.ts';
import type { BenchOptions } from './options.ts';
import { startPeers } from './peers/running-peer.ts';
import { ratiosOver, type Rate } from './report/rate.ts';
import { formatRates } from './report/rate-table.ts';
import type { BenchResult } from './report/report.ts';
import { formatNumber, formatTable } from './report/table.ts';
import { atMost } from './report/target.ts';
import { withSuffix } from './report/with-suffix.ts';
import { measureRates, singly, warmUp, type Load } from './rounds.ts';

const HUB = hubPeer();
const MOST_GROWTH = 1.5;
const FULL: HubSizes = { fewAgents: 1_000, manyAgents: 100_000, heartbeatsPerAgent: 10, samples: 25 };
const QUICK: HubSizes = { fewAgents: 100, manyAgents: 2_000, heartbeatsPerAgent: 10, samples: 3 };

/** The throughput of the hub compared with a plain echo, and its cost with many agents. */
export async function hub(options: BenchOptions): Promise<BenchResult> {
  const rates = await measureRequests(options);
  options.progress('measuring the cost of many agents');
  const sizes = options.quick ? QUICK : FULL;
  const costs = Object.entries(await growthCost(options.dataFolder, sizes));
  const many = `${formatNumber(sizes.manyAgents)} agents`;
  return {
    report: {
      bench: 'hub',
      peers: {
        ...Object.assign({}, ...rates.map(({ name, peers }) => withSuffix(peers, name))),
        ...Object.fromEntries(costs.map(([name, cost]) => [`growth/${name}`, { ...cost }])),
      },
      ratios: Object.assign({}, ...rates.map(({ name, ratios }) => withSuffix(ratios, name))),
      targets: costs.map(([name, { ratio }]) =>
        atMost(
          `cost of ${name} with ${many} over ${formatNumber(sizes.fewAgents)} agents`,
          MOST_GROWTH,
          ratio,
        ),
      ),
    },
    tables: [
      ...rates.map(({ name, peers, ratios }) => formatRates(name, 'requests', [ECHO, HUB], peers, ratios)),
      formatTable(
        ['milliseconds of a request', 'few agents', many, 'ratio'],
        costs.map(([name, { small, large, ratio }]) => [name, ...[small, large, ratio].map(formatNumber)]),
      ),
    ],
  };
}

interface RequestRates {
  readonly name: string;
  readonly peers: Record<string, Rate>;
  readonly ratios: Record<string, number>;
}

async function measureRequests(options: BenchOptions): Promise<RequestRates[]> {
  await using here = await startPeers([ECHO, HUB], options.dataFolder);
  const hubUrl = here.running.find(({ peer }) => peer === HUB)?.url;
  if (hubUrl === undefined) throw new Error('The hub is not among the peers.');
  const agents = await registerAgents(hubUrl, 'caller-', options.connections);
  const kinds: [string, HubRequest, () => Exchange][] = [
    ['agents/register', REGISTER, () => registerExchange(hubUrl)],
    ['message/send', SEND, () => agentExchange(SEND, hubUrl, agents)],
    ['heartbeat/bundle', HEARTBEAT, () => agentExchange(HEARTBEAT, hubUrl, agents)],
  ];
  const rates: RequestRates[] = [];
  for (const [name, request, onHub] of kinds) {
    const load: Load = {
      unit: 'requests',
      exchange: (url) => (url === hubUrl ? onHub() : echoExchange(request, url)),
    };
    const contenders = singly(here.running);
    await warmUp(contenders, options, load);
    const peers = await measureRates(contenders, options, load);
    rates.push({ name, peers, ratios: ratiosOver(peers, HUB.name) });
  }
  return rates;
}
