import { isTerminal, RESUME_EXTENSION, textOfParts, type StreamResponse } from '@holdword/protocol';
import type { EventFrame } from '../wire/client.ts';
import { eventOf } from './frame-state.ts';

/** Violations of the invariants in a task's journal, whatever its agent did. */
export function checkJournal(taskId: string, frames: readonly EventFrame[]): string[] {
  const problems: string[] = [];
  let ended = false;
  // A host may omit the sequence numbers, and then omits them everywhere.
  const areNumbered = frames.some((frame) => sequenceIn(bodyOf(eventOf(frame))) !== undefined);
  frames.forEach((frame, index) => {
    const expected = index + 1;
    const event = eventOf(frame);
    const body = bodyOf(event);
    const found = (what: string): number => problems.push(`task ${taskId}, event ${expected}: ${what}`);
    if (frame.sequence !== expected) found(`has the sequence number ${frame.sequence}`);
    if (areNumbered && sequenceIn(body) !== frame.sequence)
      found(`contains the sequence number ${String(sequenceIn(body))}`);
    if (body.id !== taskId) found(`belongs to ${body.id}`);
    if ('task' in event !== (expected === 1)) found('must be a task if and only if it is the first');
    if (ended && !isLate(event)) found('comes after the terminal state and is not a late artifact');
    if (failedWithoutReason(event)) found(`failed without a reason: ${frame.json}`);
    if ('statusUpdate' in event && isTerminal(event.statusUpdate.status.state)) ended = true;
  });
  return problems;
}

interface EventBody {
  id: string;
  metadata?: Record<string, unknown> | undefined;
}

function bodyOf(event: StreamResponse): EventBody {
  if ('task' in event) return event.task;
  if ('statusUpdate' in event) return { ...event.statusUpdate, id: event.statusUpdate.taskId };
  if ('artifactUpdate' in event) return { ...event.artifactUpdate, id: event.artifactUpdate.taskId };
  throw new Error('A journal cannot contain plain messages.');
}

function sequenceIn({ metadata }: EventBody): unknown {
  return (metadata?.[RESUME_EXTENSION] as { seq?: unknown } | undefined)?.seq;
}

function isLate(event: StreamResponse): boolean {
  return 'artifactUpdate' in event && event.artifactUpdate.artifact.metadata?.['late'] !== undefined;
}

/** No agent of these campaigns fails on its own: a failure is an interruption with a reason and a message. */
function failedWithoutReason(event: StreamResponse): boolean {
  if (!('statusUpdate' in event) || event.statusUpdate.status.state !== 'TASK_STATE_FAILED') return false;
  const { status, metadata } = event.statusUpdate;
  return metadata?.['reason'] !== 'interrupted' || textOfParts(status.message?.parts ?? []) === '';
}
