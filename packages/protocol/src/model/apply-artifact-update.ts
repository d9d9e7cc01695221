import { RESUME_EXTENSION } from '../extensions.ts';
import type { Artifact } from './artifact.ts';
import { isBareText, type Part } from './part.ts';
import type { TaskArtifactUpdateEvent } from './stream-response.ts';
import type { Task } from './task.ts';

/** The artifacts of a task by their ids, for `applyArtifactUpdate`. */
export function artifactsById({ artifacts = [] }: Task): Map<string, Artifact> {
  return new Map(artifacts.map((artifact) => [artifact.artifactId, artifact]));
}

/**
 * Takes an update over into a task. It costs O(event): the artifact that grows is found by its id and extended in place,
 * so nobody else may hold a reference into it.
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
  const place = known === undefined ? -1 : list.indexOf(known);
  if (place === -1) list.push(fresh);
  else list[place] = fresh;
}

/**
 * A text that is appended goes on where the last one stopped, as streams of words are meant: readers of the task get one
 * text, not its pieces. A part that says more of itself than its text stays by itself.
 */
function appendParts(parts: Part[], more: readonly Part[]): void {
  for (const part of more) {
    const last = parts.at(-1);
    // Another object: whoever was given the last one keeps what it had.
    if (last !== undefined && isBareText(last) && isBareText(part))
      parts[parts.length - 1] = { text: last.text + part.text };
    else parts.push(part);
  }
}

/** The task without the number of the event that brought it: that says nothing about the task that grows from it. */
export function withoutSequence(task: Task): Task {
  if (task.metadata?.[RESUME_EXTENSION] === undefined) return task;
  const { metadata, ...rest } = task;
  const { [RESUME_EXTENSION]: _stamp, ...others } = metadata ?? {};
  return Object.keys(others).length === 0 ? rest : { ...rest, metadata: others };
}
