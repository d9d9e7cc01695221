import { RESUME_EXTENSION } from '@holdword/protocol';
import { CollectedStream } from '../load/collected-response.ts';
import { Connection } from '../load/connection.ts';
import { RequestTemplate } from '../load/request-template.ts';
import type { Measure } from '../measures.ts';
import { HOLDWORD } from '../peers/peer.ts';
import { startPeer } from '../peers/running-peer.ts';
import { countRequest, userMessage } from '../peers/work.ts';
import { atMost } from '../report/target.ts';
import { compareAlternately, repeat } from './compare-alternately.ts';
import type { GrowthSizes } from './growth-sizes.ts';

const MISSED = 10;
const SHORT_CHUNKS = 100;

interface EndedTask {
  readonly taskId: string;
  readonly lastSequence: number;
}

/** The cost of replaying the last events of an ended task over HTTP, from a short and from a long journal. */
export async function resumeCost(dataFolder: string, sizes: GrowthSizes): Promise<Measure> {
  await using server = await startPeer(HOLDWORD, dataFolder);
  using connection = await Connection.open(server.url);
  const short = await runTask(connection, server.url, SHORT_CHUNKS);
  const long = await runTask(connection, server.url, sizes.events);
  const comparison = await compareAlternately(
    repeat(sizes.samples, {
      small: () => timeResume(connection, server.url, short),
      large: () => timeResume(connection, server.url, long),
    }),
  );
  return {
    figures: {
      [`resumeOf${SHORT_CHUNKS}EventsMilliseconds`]: comparison.small,
      [`resumeOf${sizes.events}EventsMilliseconds`]: comparison.large,
    },
    target: atMost(
      `last ${MISSED} of ${sizes.events} events over last ${MISSED} of ${SHORT_CHUNKS}`,
      2,
      comparison.ratio,
    ),
  };
}

async function runTask(connection: Connection, url: URL, chunks: number): Promise<EndedTask> {
  const template = new RequestTemplate(url, {
    method: 'SendStreamingMessage',
    params: { message: userMessage(RequestTemplate.id, countRequest(chunks)) },
  });
  const stream = new CollectedStream();
  await connection.exchange(template.next().bytes, stream);
  const taskId = /"taskId":"([^"]+)"/.exec(stream.frames.at(-1) ?? '')?.[1];
  if (taskId === undefined) throw new Error('The last event does not contain its task ID.');
  return { taskId, lastSequence: stream.frames.length };
}

async function timeResume(connection: Connection, url: URL, task: EndedTask): Promise<number> {
  const template = new RequestTemplate(url, {
    method: 'SubscribeToTask',
    params: { id: task.taskId },
    headers: { 'A2A-Extensions': RESUME_EXTENSION, 'Last-Event-ID': String(task.lastSequence - MISSED) },
  });
  const stream = new CollectedStream();
  const start = performance.now();
  await connection.exchange(template.next().bytes, stream);
  const time = performance.now() - start;
  checkResumed(stream.frames);
  return time;
}

/** The task as of the cursor, then the missed events up to the last one. */
function checkResumed(frames: readonly string[]): void {
  const events = frames.filter((frame) => /"(?:artifactUpdate|statusUpdate)":/.test(frame));
  const ended = frames.at(-1)?.includes('"TASK_STATE_COMPLETED"') === true;
  if (events.length === MISSED && ended) return;
  throw new Error(
    `Expected the last ${MISSED} events, received ${events.length} in ${frames.length} frames.`,
  );
}
