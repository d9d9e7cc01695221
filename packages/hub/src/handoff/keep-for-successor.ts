import type { Content, Executor, Sink, StatusOptions } from '@holdword/runtime';
import { wrapExecutor } from '@holdword/runtime/internal';

/** The reason in the metadata of a task that waits because its agent died. */
export const AGENT_ENDED = 'agent-ended';

const WAITS_FOR_SUCCESSOR =
  'The task is waiting. A successor can claim and continue it, or its owner can send a message to retry.';
const SERVER_ENDED =
  'The server stopped while the agent was working. What the agent did after its last output is unknown.';

/**
 * Wraps an executor so that a task whose agent dies waits for input instead of failing, and a successor can continue it.
 * An agent dies if its program is killed by a signal or the server stops in the middle of a turn. Failures that the agent
 * reports itself are not changed.
 *
 * @example
 * ```ts
 * import { keepForSuccessor } from '@holdword/hub';
 * import { openMemoryStore, startRuntime, type Executor } from '@holdword/runtime';
 *
 * const agent: Executor = {
 *   execute: async (_turn, sink) => sink.complete('Done.'),
 * };
 * await startRuntime({ store: openMemoryStore(), executor: keepForSuccessor(agent) });
 * ```
 */
export function keepForSuccessor(executor: Executor): Executor {
  return wrapExecutor(executor, {
    execute: (turn, sink) => executor.execute(turn, waitingSink(sink)),
    resume: async (turn, sink) => {
      if (executor.resume !== undefined) await executor.resume(turn, waitingSink(sink));
      else await waitForSuccessor(sink, SERVER_ENDED);
    },
  });
}

function waitingSink(sink: Sink): Sink {
  return {
    status: (content, options) =>
      endedBySignal(options)
        ? waitForSuccessor(sink, content ?? 'The agent was killed.')
        : sink.status(content, options),
    artifact: (artifact) => sink.artifact(artifact),
    message: (content, details) => sink.message(content, details),
    askInput: (content, options) => sink.askInput(content, options),
    askAuth: (content, options) => sink.askAuth(content, options),
    complete: (content) => sink.complete(content),
    fail: (content) => sink.fail(content),
    reject: (content) => sink.reject(content),
    flush: () => sink.flush(),
  };
}

/** Command-line agents report the signal that killed their program. */
function endedBySignal({ state, message }: StatusOptions = {}): boolean {
  const how = message?.metadata?.['exitCode'];
  return state === 'TASK_STATE_FAILED' && typeof how === 'string' && how.startsWith('SIG');
}

async function waitForSuccessor(sink: Sink, why: Content): Promise<void> {
  const parts = typeof why === 'string' ? [{ text: why }] : Array.isArray(why) ? why : [why];
  await sink.askInput([...parts, { text: WAITS_FOR_SUCCESSOR }], { metadata: { reason: AGENT_ENDED } });
}
