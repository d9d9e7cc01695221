import { closedLoop } from './load/closed-loop.ts';
import { RequestTemplate } from './load/request-template.ts';
import { StreamAnswer } from './load/stream-answer.ts';
import type { BenchOptions } from './options.ts';
import { PARLEY, PEERS, SDK_MEMORY } from './peers/peer.ts';
import { countRequest, userMessage } from './peers/work.ts';
import { ratiosOver } from './report/rate.ts';
import { formatRates } from './report/rate-table.ts';
import type { BenchResult } from './report/report.ts';
import { atLeast, type Target } from './report/target.ts';
import { measureRates, warmUp, withPeers, type Load } from './rounds.ts';

/** Streams of one artifact in chunks, short and long ones. */
const LENGTHS = [
  { chunks: 100, timesSdkInMemory: 5 },
  { chunks: 1_000, timesSdkInMemory: 10 },
] as const;

export function stream(options: BenchOptions): Promise<BenchResult> {
  return withPeers(PEERS, options.dataFolder, async (running) => {
    const peers: Record<string, Record<string, number>> = {};
    const ratios: Record<string, number> = {};
    const targets: Target[] = [];
    const tables: string[] = [];
    await warmUp(running, options, countLoad(LENGTHS[0].chunks, options.connections));
    for (const { chunks, timesSdkInMemory } of LENGTHS) {
      const name = `streams of ${chunks} chunks`;
      options.progress(name);
      const rates = await measureRates(running, options, 'events', countLoad(chunks, options.connections));
      const ratiosHere = ratiosOver(rates, PARLEY.name);
      Object.assign(peers, withSuffix(rates, chunks));
      Object.assign(ratios, withSuffix(ratiosHere, chunks));
      targets.push(
        atLeast(`events/s over the SDK in memory, ${name}`, timesSdkInMemory, ratiosHere[SDK_MEMORY.name]),
      );
      tables.push(formatRates(name, 'events', PEERS, rates, ratiosHere));
    }
    return { report: { bench: 'stream', peers, ratios, targets }, tables };
  });
}

function withSuffix<Value>(values: Readonly<Record<string, Value>>, chunks: number): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${name}/${chunks}`, value]));
}

function countLoad(chunks: number, connections: number): Load {
  return ({ url }, seconds) => {
    const template = new RequestTemplate(url, {
      method: 'SendStreamingMessage',
      params: { message: userMessage(RequestTemplate.id, countRequest(chunks)) },
    });
    return closedLoop({
      url,
      connections,
      seconds,
      exchange: async (connection) => {
        const answer = new StreamAnswer(chunks);
        await connection.exchange(template.next().bytes, answer);
        return answer.events;
      },
    });
  };
}
