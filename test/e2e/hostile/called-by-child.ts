import { A2AAgents, A2ASession, A2ATools, LocalFileStore } from '@holdword/client';
import { createRemoteAgent, readConfig } from '@holdword/openclaw-a2a-outbound/internal';

/*
 * A program with a small heap that calls one agent, and prints what came of it and what it took. The agent is in another process,
 * so that its work does not count.
 */

/** What the program prints. */
export interface CallReport {
  /** The beginning and the end of the text for the model. */
  readonly outcome: string;
  readonly characters: number;
  readonly seconds: number;
  /** The longest time for which nothing else could run, in milliseconds of the processor: other programs do not matter. */
  readonly blockedMilliseconds: number;
  readonly megabytes: number;
}

const [how = '', url = '', seconds = '', folder = ''] = process.argv.slice(2);

async function callAsModel(): Promise<string> {
  const agents = new A2AAgents({ hostile: { url } });
  const session = new A2ASession(agents, { fileStore: new LocalFileStore(folder) });
  const tools = new A2ATools(session);
  try {
    return JSON.stringify(await tools.sendMessage('hostile', 'hello', null, null, Number(seconds)));
  } finally {
    agents.close();
  }
}

async function callThroughOpenClaw(): Promise<string> {
  const agent = createRemoteAgent({
    config: readConfig({ enabled: true, targets: [{ alias: 'hostile', baseUrl: url }] }),
    stateFolder: folder,
  });
  const params = {
    action: 'send',
    target_alias: 'hostile',
    parts: [{ kind: 'text', text: 'hello' }],
    timeout_ms: Number(seconds) * 1000,
  };
  const { content } = await agent.execute('call-1', params);
  await agent.close();
  return content.map((each) => ('text' in each ? each.text : '')).join('');
}

function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const CALLS: Readonly<Record<string, () => Promise<string>>> = {
  model: callAsModel,
  openclaw: callThroughOpenClaw,
};

let longest = 0;
let last = cpuMilliseconds();
const ticks = setInterval(() => {
  const now = cpuMilliseconds();
  longest = Math.max(longest, now - last);
  last = now;
}, 2);
const start = performance.now();
const text = (await CALLS[how]?.()) ?? '';
clearInterval(ticks);
const report: CallReport = {
  outcome: text.length <= 4_000 ? text : `${text.slice(0, 2_000)} … ${text.slice(-2_000)}`,
  characters: text.length,
  seconds: (performance.now() - start) / 1000,
  blockedMilliseconds: longest,
  megabytes: process.resourceUsage().maxRSS / 1024,
};
process.stdout.write(`${JSON.stringify(report)}\n`);
