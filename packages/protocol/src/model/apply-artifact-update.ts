import { RESUME_EXTENSION } from '../extensions.ts';
import type { Artifact, Task, TaskArtifactUpdateEvent } from './task.ts';
import { isBareText, type Part } from './message.ts';

/** The artifacts of a task by ID, for `applyArtifactUpdate`. */
export function artifactsById({ artifacts = [] }: Task): Map<string, Artifact> {
  return new Map(artifacts.map((artifact) => [artifact.artifactId, artifact]));
}

/**
 * Applies an update to a task. It costs O(event): the artifact is found by its ID and extended in place, so nobody else may
 * hold a reference to its parts.
 */
export function applyArtifactUpdate(
  task: Task,
  byId: Map<string, Artifact>,
  { artifact, append }: TaskArtifactUpdateEvent,
): void {
  const known = byId.get(artifact.artifactId);
  if (known !== undefined && append === true) {
    appendParts(known.parts, artifact.parts);
    return;
  }
  const fresh = { ...artifact, parts: artifact.parts.slice() };
  byId.set(fresh.artifactId, fresh);
  const list = (task.artifacts ??= []);
  const index = known === undefined ? -1 : list.indexOf(known);
  if (index === -1) list.push(fresh);
  else list[index] = fresh;
}

/**
 * Appended text continues the last text, as streamed tokens do: readers of the task get one text, not its pieces. A part with
 * more fields than its text stays separate.
 */
function appendParts(parts: Part[], more: readonly Part[]): void {
  for (const part of more) {
    const last = parts.at(-1);
    // A new object: the previous one may have been handed out and must not change.
    if (last !== undefined && isBareText(last) && isBareText(part))
      parts[parts.length - 1] = { text: last.text + part.text };
    else parts.push(part);
  }
}

/** The task without the sequence number of its event, which does not apply to later versions of the task. */
export function withoutSequence(task: Task): Task {
  if (task.metadata?.[RESUME_EXTENSION] === undefined) return task;
  const { metadata, ...rest } = task;
  const { [RESUME_EXTENSION]: _sequence, ...others } = metadata ?? {};
  return Object.keys(others).length === 0 ? rest : { ...rest, metadata: others };
}
