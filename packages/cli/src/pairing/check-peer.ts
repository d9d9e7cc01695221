import { randomUUID } from 'node:crypto';
import { isA2AError, isTerminal, type TaskState } from '@holdword/protocol';
import { asObject, Deadline, pause, shorten } from '@holdword/protocol/internal';
import { describeFailure } from '../calling/call-errors.ts';
import { CallSettings } from '../calling/call-settings.ts';
import { findAgent, openAgent, type CalledAgent } from '../calling/called-agent.ts';
import { Diagnostics } from '../calling/diagnostics.ts';
import { stateOf } from '../calling/task-text.ts';
import type { CommandInput } from '../command-line/command.ts';
import type { Introduction, Outcome } from './pairing-offer.ts';

/** A new key reaches a running server within a second, and an OpenClaw gateway when it has read its configuration again. */
const KEY_MILLISECONDS = 60_000;
const RETRY_MILLISECONDS = 1_000;
const CHECK_MILLISECONDS = 120_000;

/** Calls the other agent as it will be called from now on: its card, the key, and a message. */
export async function checkPeer(
  input: CommandInput,
  { url, key, name }: Introduction & { url: string },
): Promise<Outcome> {
  const settings = new CallSettings(new Map([['agent-card', [{ value: url, source: 'the other side' }]]]), {
    url,
    key: async () => key,
  });
  const diagnostics = new Diagnostics({ ...input.terminal, error: () => {} }, settings);
  using deadline = new Deadline(CHECK_MILLISECONDS);
  let agent: CalledAgent | undefined;
  try {
    const { signal } = deadline;
    const found = await findAgent(settings, input, diagnostics, signal);
    agent = await openAgent(found, settings, diagnostics, input, signal);
    await untilAccepted(agent, deadline.signal);
    if (input.options['skip-message'] === undefined) await sendGreeting(agent, deadline.signal);
    return {};
  } catch (error) {
    const { message } = describeFailure(error, { progress: {}, isLate: deadline.signal.aborted }).envelope;
    return { problem: shorten(`${name} cannot be called at ${url}: ${message}`, 500) };
  } finally {
    agent?.[Symbol.dispose]();
  }
}

const ANSWERS: ReadonlySet<string> = new Set([
  'TASK_NOT_FOUND',
  'INVALID_PARAMS',
  'UNSUPPORTED_OPERATION',
  'METHOD_NOT_FOUND',
]);

/** Asks for a task that does not exist until the key is known there. */
async function untilAccepted(agent: CalledAgent, signal: AbortSignal): Promise<void> {
  const until = Date.now() + KEY_MILLISECONDS;
  for (;;) {
    try {
      await agent.call('getTask', { id: randomUUID() }, signal);
      return;
    } catch (error) {
      if (!isA2AError(error)) throw error;
      if (ANSWERS.has(error.code)) return;
      if (error.code !== 'UNAUTHENTICATED' || Date.now() > until) throw error;
      await pause(RETRY_MILLISECONDS, signal);
    }
  }
}

/** A message that the agent accepts is enough: its answer may take a model some time. */
async function sendGreeting(agent: CalledAgent, signal: AbortSignal): Promise<void> {
  const answer = await agent.call(
    'sendMessage',
    {
      message: {
        messageId: randomUUID(),
        role: 'ROLE_USER',
        parts: [{ text: 'Hello! We are connected now.' }],
      },
      configuration: { returnImmediately: true },
    },
    signal,
  );
  const { task } = asObject(answer);
  const state = stateOf(task) as TaskState;
  if (task !== undefined && isTerminal(state) && state !== 'TASK_STATE_COMPLETED') {
    throw new Error(`a message was answered with ${state}`);
  }
}
