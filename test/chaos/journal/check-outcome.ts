import { textOfParts, type Message } from '@holdword/protocol';
import type { EventFrame } from '../wire/client.ts';
import { eventOf, lastStateOf } from './frame-state.ts';

/**
 * What is wrong with the result of the demo agent: a completed task has the whole result once, any other task a prefix of it
 * without duplicates.
 */
export function checkOutcome(frames: readonly EventFrame[]): string[] {
  const first = frames[0] && eventOf(frames[0]);
  if (first === undefined || !('task' in first)) return ['the journal does not start with its task'];
  const asked = textOf(first.task.history?.[0]);
  const count = /^count to (\d+)/.exec(asked);
  const echo = /^echo (.*)$/.exec(asked);
  const whole = count ? numbersUpTo(Number(count[1])) : echo ? (echo[1] as string) : undefined;
  if (whole === undefined) return [];
  const given = artifactTextOf(frames.filter((frame) => !isLastWord(frame)));
  const completed = lastStateOf(frames) === 'TASK_STATE_COMPLETED';
  const right = completed ? given === whole : whole.startsWith(given);
  return right
    ? []
    : [`"${asked}" produced ${given.length} characters that are not its result: ${given.slice(-80)}`];
}

/** The last words of the agent are a message, or an artifact if they were late. */
function isLastWord(frame: EventFrame): boolean {
  const event = eventOf(frame);
  return 'artifactUpdate' in event && event.artifactUpdate.artifact.name === 'late-answer';
}

/** The text of all artifacts, in the order of their creation. */
export function artifactTextOf(frames: readonly EventFrame[]): string {
  const texts = new Map<string, string>();
  for (const frame of frames) {
    const event = eventOf(frame);
    if (!('artifactUpdate' in event)) continue;
    const { artifact, append } = event.artifactUpdate;
    const before = append === true ? (texts.get(artifact.artifactId) ?? '') : '';
    texts.set(artifact.artifactId, before + textOfParts(artifact.parts));
  }
  return [...texts.values()].join('');
}

export function numbersUpTo(last: number): string {
  return Array.from({ length: last }, (_, index) => index + 1).join('\n');
}

function textOf(message: Message | undefined): string {
  return textOfParts(message?.parts ?? []);
}
