import { taskSchema } from '@holdword/protocol/internal';
import type { Store } from '@holdword/store';
import { z } from 'zod';
import { EvidenceCollector } from './collect-evidence.ts';
import { concludeEvidence } from './conclude-evidence.ts';
import type { Evidence } from './evidence.ts';

const PAGE = 512;

const snapshotSchema = z.object({ task: taskSchema });

/** Reads the evidence in the committed journal of a task; undefined if the task does not exist. */
export async function readEvidence(store: Store, taskId: string): Promise<Evidence | undefined> {
  const header = await store.readTask(taskId);
  if (header === undefined) return undefined;
  const collector = new EvidenceCollector(taskId);
  let cursor = 0;
  if (header.firstSequence > 1) {
    const snapshot = await store.readSnapshot(taskId);
    if (snapshot !== undefined) {
      collector.takeTask(snapshotSchema.parse(JSON.parse(snapshot.json)).task, snapshot.sequence);
      cursor = snapshot.sequence;
    }
  }
  // Stops at the header's last event, so that state and facts are consistent.
  while (cursor < header.lastSequence) {
    const events = await store.readEvents(taskId, cursor, Math.min(PAGE, header.lastSequence - cursor));
    if (events.length === 0) break;
    for (const event of events) {
      collector.apply(event);
      cursor = event.sequence;
    }
  }
  return concludeEvidence(collector.collected(), header);
}
