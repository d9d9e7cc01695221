import { randomUUID } from 'node:crypto';
import { isA2AError, isTerminal, type TaskState } from '@holdword/protocol';
import { asObject, Deadline, pause, shorten } from '@holdword/protocol/internal';
import { CallError, describeFailure, isUnknownMethod } from '../calling/call-errors.ts';
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
    agent = await untilAccepted(input, settings, diagnostics, deadline.signal);
    if (input.options['skip-message'] === undefined) await sendGreeting(agent, deadline.signal);
    return {};
  } catch (error) {
    const { message } = describeFailure(error, { progress: {}, isLate: deadline.signal.aborted }).envelope;
    return { problem: shorten(`${name} cannot be called at ${url}: ${message}`, 500) };
  } finally {
    agent?.[Symbol.dispose]();
  }
}

/** How an agent answers that has read the key: it does not know the task. Some agents have no tasks at all. */
const ANSWERS: ReadonlySet<string> = new Set(['TASK_NOT_FOUND', 'INVALID_PARAMS', 'UNSUPPORTED_OPERATION']);

/**
 * Asks for a task that does not exist until the key is known there. OpenClaw restarts its channel to read the key: until then there is
 * another answer, or no card at all.
 */
async function untilAccepted(
  input: CommandInput,
  settings: CallSettings,
  diagnostics: Diagnostics,
  signal: AbortSignal,
): Promise<CalledAgent> {
  const until = Date.now() + KEY_MILLISECONDS;
  for (;;) {
    let agent: CalledAgent | undefined;
    try {
      const found = await findAgent(settings, input, diagnostics, signal);
      agent = await openAgent(found, settings, diagnostics, input, signal);
      await agent.call('getTask', { id: randomUUID() }, signal);
      return agent;
    } catch (error) {
      if (agent !== undefined && isA2AError(error) && (ANSWERS.has(error.code) || isUnknownMethod(error)))
        return agent;
      agent?.[Symbol.dispose]();
      if (!mayChange(error) || Date.now() > until) throw error;
      await pause(RETRY_MILLISECONDS, signal);
    }
  }
}

/** How an agent answers that has not read the key yet, or restarts to read it. */
const NOT_YET: ReadonlySet<string> = new Set(['UNAUTHENTICATED', 'METHOD_NOT_FOUND', 'UNAVAILABLE']);

function mayChange(error: unknown): boolean {
  if (error instanceof CallError) return error.code === 'A2ACLI_ERR_CARD_NOT_FOUND';
  return isA2AError(error) && NOT_YET.has(error.code);
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
