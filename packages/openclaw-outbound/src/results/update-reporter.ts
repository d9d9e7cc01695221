import type { StreamResponse } from '@holdword/protocol';
import { taskIdOf } from '../calls/follow.ts';
import type { ToolResult } from '../plugin-api.ts';
import { plausibleId } from '../remote-ids.ts';
import { stateName } from '../request/continuation.ts';
import type { Target } from '../targets/target.ts';
import { cutText, markedText } from './foreign-text.ts';

/** Hosts show updates to people, who cannot read faster. What arrives in between is in the next update. */
const MIN_INTERVAL_MILLISECONDS = 100;
const MAX_TEXT_LENGTH = 1_000;

export type OnUpdate = (update: ToolResult) => void;

/**
 * Reports progress of a remote agent to the host: its state, and the end of the text that it is writing. An update may replace
 * the one before it.
 */
export function updateReporter(
  action: string,
  target: Target,
  onUpdate: OnUpdate | undefined,
): (event: StreamResponse) => void {
  if (onUpdate === undefined) return () => {};
  // A host that fails to show progress must not stop the work.
  const report: OnUpdate = (update) => {
    try {
      onUpdate(update);
    } catch {}
  };
  const name = target.configured?.alias ?? target.baseUrl;
  const written = new WrittenText();
  let count = 0;
  let last = 0;
  let status = '';
  return (event) => {
    count += 1;
    const before = status;
    status = statusOf(event) ?? status;
    const whole = written.add(event);
    const now = Date.now();
    if (status === before && now - last < MIN_INTERVAL_MILLISECONDS) return;
    last = now;
    const text = cutText(whole, MAX_TEXT_LENGTH);
    const taskId = plausibleId(taskIdOf(event));
    const headline = status === '' ? name : `${name}: ${status}`;
    report({
      content: [
        { type: 'text', text: text === '' ? headline : `${headline}\n${markedText(whole, MAX_TEXT_LENGTH)}` },
      ],
      details: {
        operation: 'remote_agent',
        action,
        phase: 'update',
        ...(target.configured && { target_alias: target.configured.alias }),
        target_url: target.baseUrl,
        event_kind: kindOf(event),
        event_count: count,
        ...(taskId !== undefined && { task_id: taskId }),
        ...(status !== '' && { status }),
        ...(text !== '' && { text }),
      },
    });
  };
}

/** The end of the artifact that an agent is writing. It costs O(event), and its memory is bounded. */
class WrittenText {
  #artifactId = '';
  #text = '';

  /** The text to show with an event: its own, or what has been written so far. */
  add(event: StreamResponse): string {
    if (!('artifactUpdate' in event)) return textOf(event) || this.#text;
    const { artifact, append } = event.artifactUpdate;
    const text = textOf(event);
    const goesOn = append === true && artifact.artifactId === this.#artifactId;
    this.#artifactId = artifact.artifactId;
    this.#text = (goesOn ? this.#text + text.slice(-MAX_TEXT_LENGTH) : text).slice(-MAX_TEXT_LENGTH);
    return this.#text;
  }
}

function statusOf(event: StreamResponse): string | undefined {
  if ('task' in event) return stateName(event.task.status.state);
  return 'statusUpdate' in event ? stateName(event.statusUpdate.status.state) : undefined;
}

function kindOf(event: StreamResponse): string {
  if ('task' in event) return 'task';
  if ('message' in event) return 'message';
  return 'statusUpdate' in event ? 'status-update' : 'artifact-update';
}

function textOf(event: StreamResponse): string {
  const parts =
    'task' in event
      ? event.task.status.message?.parts
      : 'message' in event
        ? event.message.parts
        : 'statusUpdate' in event
          ? event.statusUpdate.status.message?.parts
          : event.artifactUpdate.artifact.parts;
  return (parts ?? []).flatMap(({ text }) => text ?? []).join('');
}
