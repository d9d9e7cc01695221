import type { Executor, Sink, StatusOptions, Turn, Content } from '@holdword/runtime';

/** The reason in the metadata of a task that waits because its agent is gone. */
export const AGENT_ENDED = 'agent-ended';

const WAITS_FOR_SUCCESSOR =
  'The task waits: a successor can claim it and go on, or its owner sends a message to try again.';
const SERVER_ENDED =
  'The server went down while the agent was working; what it had done after its last output is unknown.';

/**
 * The same agent, whose death leaves its task waiting instead of failed, so that a successor can go on with it. Death is
 * the end of its program by a signal, and the end of the server in the middle of a turn. A failure that the agent itself
 * reports stays one.
 */
export function keepForSuccessor(executor: Executor): Executor {
  return {
    ...(executor.card && { card: executor.card }),
    ...(executor.withoutEffects !== undefined && { withoutEffects: executor.withoutEffects }),
    ...(executor.answersDirectly && {
      answersDirectly: (turn: Turn) => executor.answersDirectly?.(turn) === true,
    }),
    execute: (turn, sink) => executor.execute(turn, waitingSink(sink)),
    resume: async (turn, sink) => {
      if (executor.resume !== undefined) await executor.resume(turn, waitingSink(sink));
      else await waitForSuccessor(sink, SERVER_ENDED);
    },
    release: (taskId) => executor.release?.(taskId),
    close: async () => executor.close?.(),
  };
}

function waitingSink(sink: Sink): Sink {
  return {
    status: (content, options) =>
      endedBySignal(options)
        ? waitForSuccessor(sink, content ?? 'The agent was ended.')
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

/** Command-line agents say by which signal their program was ended. */
function endedBySignal({ state, message }: StatusOptions = {}): boolean {
  const how = message?.metadata?.['exitCode'];
  return state === 'TASK_STATE_FAILED' && typeof how === 'string' && how.startsWith('SIG');
}

async function waitForSuccessor(sink: Sink, why: Content): Promise<void> {
  const parts = typeof why === 'string' ? [{ text: why }] : Array.isArray(why) ? why : [why];
  await sink.askInput([...parts, { text: WAITS_FOR_SUCCESSOR }], { metadata: { reason: AGENT_ENDED } });
}
