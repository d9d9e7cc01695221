import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { compareAlternately, repeat, type Comparison } from '../growth/compare-alternately.ts';
import { closedLoop, forExchanges, type Exchange } from '../load/closed-loop.ts';
import { startPeer, type RunningPeer } from '../peers/running-peer.ts';
import { registerAgents } from './bench-agents.ts';
import { agentExchange, HEARTBEAT, QUIET_HEARTBEAT, registerExchange, SEND } from './hub-exchanges.ts';
import { hubPeer } from './hub-peers.ts';
import { multiplyAgents } from './multiply-agents.ts';

export interface HubSizes {
  readonly fewAgents: number;
  readonly manyAgents: number;
  readonly heartbeatsPerAgent: number;
  /** How often each variant is measured. */
  readonly samples: number;
}

const CONNECTIONS = 8;
const WINDOW = 100;

/** The cost of each kind of request on a hub with few and on one with many agents. */
export async function growthCost(
  dataFolder: string,
  sizes: HubSizes,
): Promise<Record<'register' | 'send' | 'heartbeat', Comparison>> {
  await using few = await filledHub(dataFolder, sizes.fewAgents, sizes.heartbeatsPerAgent);
  await using many = await filledHub(dataFolder, sizes.manyAgents, sizes.heartbeatsPerAgent);
  const fewAgents = await registerAgents(few.url, 'caller-', CONNECTIONS);
  const manyAgents = await registerAgents(many.url, 'caller-', CONNECTIONS);
  const compare = (small: Exchange, large: Exchange): Promise<Comparison> =>
    compareAlternately(
      repeat(sizes.samples, {
        small: () => timeWindow(few.url, small),
        large: () => timeWindow(many.url, large),
      }),
    );
  return {
    register: await compare(registerExchange(few.url), registerExchange(many.url)),
    send: await compare(agentExchange(SEND, few.url, fewAgents), agentExchange(SEND, many.url, manyAgents)),
    heartbeat: await compare(
      agentExchange(HEARTBEAT, few.url, fewAgents),
      agentExchange(HEARTBEAT, many.url, manyAgents),
    ),
  };
}

/** A hub with this many agents that have sent some heartbeats. */
async function filledHub(dataFolder: string, agents: number, heartbeats: number): Promise<RunningPeer> {
  const folder = await mkdtemp(join(dataFolder, 'hub-'));
  {
    await using hub = await startPeer(hubPeer(folder), dataFolder);
    const [model] = await registerAgents(hub.url, 'model-of-all-', 1);
    if (model === undefined) throw new Error('The hub registered no agent.');
    const exchange = agentExchange(QUIET_HEARTBEAT, hub.url, [model]);
    await closedLoop({ url: hub.url, connections: 1, shouldContinue: forExchanges(heartbeats), exchange });
    await hub[Symbol.asyncDispose]();
    multiplyAgents(folder, model, agents - 1);
  }
  return startPeer(hubPeer(folder), dataFolder);
}

/** The mean milliseconds of an exchange within a window. */
async function timeWindow(url: URL, exchange: Exchange): Promise<number> {
  const start = performance.now();
  await closedLoop({ url, connections: CONNECTIONS, shouldContinue: forExchanges(WINDOW), exchange });
  return (performance.now() - start) / WINDOW;
}
