import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { callJson } from '../load/call-json.ts';
import { Connection } from '../load/connection.ts';
import { RequestTemplate } from '../load/request-template.ts';
import type { Measure } from '../measures.ts';
import { HOLDWORD, program, type Peer } from '../peers/peer.ts';
import { startPeer } from '../peers/running-peer.ts';
import { userMessage } from '../peers/work.ts';
import { median, percentile } from '../report/statistics.ts';
import { atMost } from '../report/target.ts';
import { FAKE_ANSWER, FAKE_COMMAND } from './fake-command.ts';

const WARM_UPS = 20;
const TARGET_MILLISECONDS = 15;
const SERVER: Peer = {
  ...HOLDWORD,
  name: 'holdword-cli-agent',
  arguments: (folder) => [...HOLDWORD.arguments(folder), '--agent', program('../adapter/fake-agent.ts')],
};

/**
 * The overhead of a turn of a command-line agent: a blocking send over HTTP to a server that runs the program, compared with
 * running the same program directly. The two are timed alternately; each difference is one sample.
 */
export async function turnOverhead(dataFolder: string, samples: number): Promise<Measure> {
  await using server = await startPeer(SERVER, dataFolder);
  using connection = await Connection.open(server.url);
  const programTimes: number[] = [];
  const overheads: number[] = [];
  for (let sample = -WARM_UPS; sample < samples; sample += 1) {
    const alone = await timeProgram();
    const turn = await timeTurn(connection, server.url);
    if (sample < 0) continue;
    programTimes.push(alone);
    overheads.push(turn - alone);
  }
  const ascending = overheads.toSorted((one, other) => one - other);
  return {
    figures: {
      programMilliseconds: median(programTimes),
      overheadP50Milliseconds: percentile(ascending, 0.5),
      overheadP99Milliseconds: percentile(ascending, 0.99),
    },
    target: atMost('overhead of a turn, p50 in ms', TARGET_MILLISECONDS, percentile(ascending, 0.5)),
  };
}

async function timeProgram(): Promise<number> {
  const [file = '', ...words] = FAKE_COMMAND;
  const start = performance.now();
  const child = spawn(file, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const answer = await text(child.stdout);
  const time = performance.now() - start;
  if (answer.trim() !== FAKE_ANSWER) throw new Error(`Expected "${FAKE_ANSWER}", received "${answer}".`);
  return time;
}

async function timeTurn(connection: Connection, url: URL): Promise<number> {
  const params = { message: userMessage(RequestTemplate.id, 'go') };
  const start = performance.now();
  const result = await callJson(connection, url, { method: 'SendMessage', params });
  const time = performance.now() - start;
  const { task } = result as { task?: { status?: { state?: string } } };
  if (task?.status?.state === 'TASK_STATE_COMPLETED') return time;
  throw new Error(`Expected a completed task, received ${JSON.stringify(result).slice(0, 400)}.`);
}
