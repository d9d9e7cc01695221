import { isInterrupted, isTerminal, type StreamResponse } from '@holdword/protocol';
import type { Store } from '@holdword/store';
import type { Sink } from '../executors/executor.ts';
import type { Log } from '../log.ts';
import type { LiveTask } from './live-task.ts';
import type { LiveTasks } from './live-tasks.ts';
import { TurnSink } from './turn-sink.ts';

/**
 * Keeps what the agent said after another process had ended its task, for example by canceling it, as artifacts marked
 * as late (J6). A task that still runs in another process gets nothing: that process ends it.
 */
export async function keepLateAnswer(
  lost: LiveTask,
  { store, liveTasks, log }: { store: Store; liveTasks: LiveTasks; log: Log },
): Promise<void> {
  const said = await lost.rejectedEvents();
  if (!said.some(isAnswer)) return;
  const header = await store.readTask(lost.taskId);
  if (header === undefined || !isTerminal(header.state)) return;
  const live = await liveTasks.open(header);
  try {
    const sink = new TurnSink(live, log);
    for (const event of said) await sayLate(sink, event);
    await live.flushed();
  } finally {
    liveTasks.close(live);
  }
}

function isAnswer(event: StreamResponse): boolean {
  if ('artifactUpdate' in event) return true;
  if (!('statusUpdate' in event)) return false;
  const { state, message } = event.statusUpdate.status;
  return message !== undefined && (isTerminal(state) || isInterrupted(state));
}

/** The sink of an ended task turns everything into late artifacts. */
async function sayLate(sink: Sink, event: StreamResponse): Promise<void> {
  if ('artifactUpdate' in event) {
    const { artifact, append = false, lastChunk = false, metadata } = event.artifactUpdate;
    await sink.artifact({ ...artifact, append, lastChunk, ...(metadata && { eventMetadata: metadata }) });
  } else if (isAnswer(event) && 'statusUpdate' in event) {
    await sink.complete(event.statusUpdate.status.message?.parts);
  }
}
