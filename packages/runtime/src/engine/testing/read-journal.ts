import { textOfParts, type StreamResponse } from '@holdword/protocol';
import type { Store } from '@holdword/store';

/** The committed events of a task. */
export async function readJournal(store: Store, taskId: string): Promise<StreamResponse[]> {
  const events = await store.readEvents(taskId, 0, 10_000);
  return events.map(({ json }) => JSON.parse(json) as StreamResponse);
}

/** Events as short lines: `submitted`, `working thinking`, `artifact a 42`. */
export function outline(events: readonly StreamResponse[]): string[] {
  return events.map((event) => {
    if ('message' in event) return `message ${textOfParts(event.message.parts)}`;
    if ('artifactUpdate' in event) {
      const { artifact, append } = event.artifactUpdate;
      return `artifact${append === true ? '+' : ''} ${artifact.artifactId} ${textOfParts(artifact.parts)}`;
    }
    const { state, message } = 'task' in event ? event.task.status : event.statusUpdate.status;
    const said = message === undefined ? '' : ` ${textOfParts(message.parts)}`;
    return `${state.slice('TASK_STATE_'.length).toLowerCase().replace('_', '-')}${said}`;
  });
}

export async function journalOutline(store: Store, taskId: string): Promise<string[]> {
  return outline(await readJournal(store, taskId));
}
