import { RESUME_EXTENSION } from '../extensions.ts';
import type { Artifact } from './artifact.ts';
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
    known.parts.push(...artifact.parts);
    return;
  }
  const fresh = { ...artifact, parts: artifact.parts.slice() };
  byId.set(fresh.artifactId, fresh);
  const list = (task.artifacts ??= []);
  const place = known === undefined ? -1 : list.indexOf(known);
  if (place === -1) list.push(fresh);
  else list[place] = fresh;
}

/** The task without the number of the event that brought it: that says nothing about the task that grows from it. */
export function withoutStamp(task: Task): Task {
  if (task.metadata?.[RESUME_EXTENSION] === undefined) return task;
  const { metadata, ...rest } = task;
  const { [RESUME_EXTENSION]: _stamp, ...others } = metadata ?? {};
  return Object.keys(others).length === 0 ? rest : { ...rest, metadata: others };
}
