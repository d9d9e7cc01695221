import { isTerminal, RESUME_EXTENSION, textOfParts, type StreamResponse } from '@holdword/protocol';
import type { EventFrame } from '../wire/client.ts';
import { eventOf } from './frame-state.ts';

/** What is wrong with a task's whole journal, whatever its agent did; nothing if it is sound. */
export function checkJournal(taskId: string, frames: readonly EventFrame[]): string[] {
  const problems: string[] = [];
  let ended = false;
  // A host may leave the stamps out, and then does so everywhere.
  const areNumbered = frames.some((frame) => sequenceIn(bodyOf(eventOf(frame))) !== undefined);
  frames.forEach((frame, index) => {
    const expected = index + 1;
    const event = eventOf(frame);
    const body = bodyOf(event);
    const found = (what: string): number => problems.push(`task ${taskId}, event ${expected}: ${what}`);
    if (frame.sequence !== expected) found(`has the number ${frame.sequence}`);
    if (areNumbered && sequenceIn(body) !== frame.sequence)
      found(`carries sequence ${String(sequenceIn(body))}`);
    if (body.id !== taskId) found(`belongs to ${body.id}`);
    if ('task' in event !== (expected === 1)) found('is a task where none belongs, or the first and no task');
    if (ended && !isLate(event)) found('comes after the end and is no late artifact');
    if (failedWithoutReason(event)) found(`failed without saying why: ${frame.json}`);
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
  throw new Error('A journal holds no plain messages.');
}

function sequenceIn({ metadata }: EventBody): unknown {
  return (metadata?.[RESUME_EXTENSION] as { seq?: unknown } | undefined)?.seq;
}

function isLate(event: StreamResponse): boolean {
  return 'artifactUpdate' in event && event.artifactUpdate.artifact.metadata?.['late'] !== undefined;
}

/** No agent of these campaigns fails by itself: a failure is an interruption, and says so to programs and people. */
function failedWithoutReason(event: StreamResponse): boolean {
  if (!('statusUpdate' in event) || event.statusUpdate.status.state !== 'TASK_STATE_FAILED') return false;
  const { status, metadata } = event.statusUpdate;
  return metadata?.['reason'] !== 'interrupted' || textOfParts(status.message?.parts ?? []) === '';
}
