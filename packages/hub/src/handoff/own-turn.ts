import { isInterrupted, isTerminal, type StreamResponse, type TaskStatus } from '@holdword/protocol';
import type { Store, TaskHeader } from '@holdword/store';
import type { OwnTurn } from './handoff.ts';

const PAGE = 256;

/** Finds in the journal how the turn that started after an event ended, even if other turns followed; undefined without one. */
export async function readOwnTurn(
  store: Store,
  { taskId, lastSequence }: TaskHeader,
  after: number,
): Promise<OwnTurn | undefined> {
  let hasBegun = false;
  for (let cursor = after; cursor < lastSequence;) {
    const events = await store.readEvents(taskId, cursor, PAGE);
    if (events.length === 0) break;
    for (const { json, sequence } of events) {
      cursor = sequence;
      const status = statusIn(json);
      if (status === undefined) continue;
      if (hasBegun && (isTerminal(status.state) || isInterrupted(status.state)))
        return { inWork: false, endedAt: Date.parse(status.timestamp ?? '') };
      hasBegun = true;
    }
  }
  return hasBegun ? { inWork: true } : undefined;
}

/** The status in an event. Artifact updates, which are by far the most frequent, are not parsed. */
function statusIn(json: string): TaskStatus | undefined {
  if (json.startsWith('{"artifactUpdate"')) return undefined;
  const event = JSON.parse(json) as StreamResponse;
  if ('task' in event) return event.task.status;
  return 'statusUpdate' in event ? event.statusUpdate.status : undefined;
}
