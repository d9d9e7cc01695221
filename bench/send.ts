import { closedLoop } from './load/closed-loop.ts';
import { RequestTemplate } from './load/request-template.ts';
import { SendAnswer } from './load/send-answer.ts';
import type { BenchOptions } from './options.ts';
import { PARLEY, PEERS, SDK_MEMORY, SDK_SQLITE } from './peers/peer.ts';
import { ECHO_REQUEST, ECHO_TEXT, userMessage } from './peers/work.ts';
import { ratiosOver } from './report/rate.ts';
import { formatRates } from './report/rate-table.ts';
import type { BenchResult } from './report/report.ts';
import { atLeast } from './report/target.ts';
import { measureRates, warmUp, withPeers, type Load } from './rounds.ts';

/** Blocking sends of an echo task with one artifact. */
export async function send(options: BenchOptions): Promise<BenchResult> {
  const peers = await withPeers(PEERS, options.dataFolder, async (running) => {
    const load = echoLoad(options.connections);
    await warmUp(running, options, load);
    return measureRates(running, options, 'requests', load);
  });
  const ratios = ratiosOver(peers, PARLEY.name);
  const targets = [
    atLeast('sends/s over the SDK in memory', 3, ratios[SDK_MEMORY.name]),
    atLeast('sends/s over the SDK on SQLite', 10, ratios[SDK_SQLITE.name]),
  ];
  return {
    report: { bench: 'send', peers, ratios, targets },
    tables: [formatRates('blocking send of an echo task', 'requests', PEERS, peers, ratios)],
  };
}

function echoLoad(connections: number): Load {
  return ({ url }, seconds) => {
    const template = new RequestTemplate(url, {
      method: 'SendMessage',
      params: { message: userMessage(RequestTemplate.id, ECHO_REQUEST) },
    });
    return closedLoop({
      url,
      connections,
      seconds,
      exchange: async (connection) => {
        const { id, bytes } = template.next();
        await connection.exchange(bytes, new SendAnswer(id, ECHO_TEXT));
        return 1;
      },
    });
  };
}
