import { textOf } from './parts.ts';
import type { JournalEvent } from '../../api/task.ts';
import { stateName } from './format.ts';

/** A task can be forked where it waited for its user or had ended, not in the middle of a turn. */
export function canForkAt(state: string | undefined): boolean {
  return /_REQUIRED$|COMPLETED|FAILED|CANCELED|REJECTED/.test(state ?? '');
}

export interface EventSummary {
  readonly kind: 'task' | 'state' | 'artifact' | 'message';
  readonly title: string;
  readonly text: string;
  /** Only events with a status have a time. */
  readonly at: string | undefined;
  readonly state: string | undefined;
}

/** One line about an event of a journal. */
export function summaryOf({ event, input }: JournalEvent): EventSummary {
  const said = input === null ? '' : `user: ${textOf(input.parts)}`;
  if ('task' in event) {
    const { status, history } = event.task;
    const text = textOf(history?.at(-1)?.parts ?? status.message?.parts ?? []);
    return { kind: 'task', title: 'task created', text, at: status.timestamp, state: status.state };
  }
  if ('statusUpdate' in event) {
    const { status } = event.statusUpdate;
    const text = [said, textOf(status.message?.parts ?? [])].filter(Boolean).join(' · ');
    return { kind: 'state', title: stateName(status.state), text, at: status.timestamp, state: status.state };
  }
  if ('artifactUpdate' in event) {
    const { artifact, append, lastChunk } = event.artifactUpdate;
    const name = artifact.name ?? artifact.artifactId;
    const title = `artifact ${name}${append === true ? ' +' : ''}${lastChunk === true ? ' (last)' : ''}`;
    return { kind: 'artifact', title, text: textOf(artifact.parts), at: undefined, state: undefined };
  }
  return {
    kind: 'message',
    title: 'message',
    text: textOf(event.message.parts),
    at: undefined,
    state: undefined,
  };
}
