import { randomUUID } from 'node:crypto';
import { isA2AError } from '@holdword/protocol';
import { asObject, quotedMessage, steadyNow } from '@holdword/protocol/internal';
import type { AgentSubject } from './agent-subject.ts';
import { fine, problem, type Check, type Finding } from './check.ts';

/** The least time between the first and the last event that tells anything. */
const LEAST_MILLISECONDS = 1_000;
/** Events of a stream that is not held back arrive over most of the time in which they were made. */
const LEAST_SHARE = 0.5;

/** Whether events arrive when they happen. It sends a message, so only if the user gives one. */
export const STREAM_CHECKS: readonly Check<AgentSubject>[] = [{ id: 'stream', run: checkStream }];

async function checkStream(subject: AgentSubject): Promise<Finding | undefined> {
  const text = subject.input.options['send'];
  if (text === undefined) return undefined;
  const agent = await subject.agent();
  if (!agent.streams) return fine('The card says that the agent does not stream.');
  const message = { messageId: randomUUID(), role: 'ROLE_USER' as const, parts: [{ text }] };
  const arrivals: number[] = [];
  const made: number[] = [];
  try {
    for await (const { json } of agent.stream(
      'sendStreamingMessage',
      { message },
      { signal: subject.signal },
    )) {
      arrivals.push(steadyNow());
      const time = timeOf(json);
      if (time !== undefined) made.push(time);
    }
  } catch (error) {
    if (!isA2AError(error)) throw error;
    return problem(
      'the agent',
      `The agent did not stream an answer: ${quotedMessage(error)}`,
      'Look at the log of its server.',
    );
  }
  return judge(arrivals, made);
}

/** When the agent made an event, by its own clock: only differences of them are used. */
function timeOf(json: unknown): number | undefined {
  const { timestamp } = asObject(asObject(Object.values(asObject(json))[0])['status']);
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function judge(arrivals: readonly number[], made: readonly number[]): Finding {
  const [arrived, took] = [spread(arrivals), spread(made)];
  if (took < LEAST_MILLISECONDS) {
    return fine(
      'The answer was streamed, but too fast to tell whether something holds it back. Send what takes some seconds.',
    );
  }
  if (arrived >= took * LEAST_SHARE) return fine('Events arrive when they happen.');
  return problem(
    'the network',
    `A proxy holds streams back: the events of ${Math.round(took / 1_000)} s arrived within ${Math.round(arrived)} ms.`,
    'Switch off buffering and compression of text/event-stream in the proxy, in nginx: proxy_buffering off; gzip off;',
  );
}

function spread(times: readonly number[]): number {
  return times.length < 2 ? 0 : Math.max(...times) - Math.min(...times);
}
