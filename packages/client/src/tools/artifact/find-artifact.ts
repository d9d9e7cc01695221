import { A2AError, type V03Artifact, type V03Task, type V03TaskState } from '@holdword/protocol';
import { coreTaskToV03 } from '@holdword/protocol/internal';
import type { A2ASession } from '../../session/a2a-session.ts';

export interface ArtifactLocation {
  readonly agentId: string;
  readonly taskId: string;
  readonly artifactId: string;
}

const ASK_MILLISECONDS = 15_000;
const MAX_NAMES = 20;
const ENDED: ReadonlySet<V03TaskState> = new Set(['completed', 'canceled', 'failed', 'rejected']);

/**
 * Finds the current version of an artifact. The saved version of a task that has ended is final; otherwise the agent is
 * asked once, without waiting for the task. If the agent does not respond, the saved version is used.
 */
export async function findArtifact(
  session: A2ASession,
  location: ArtifactLocation,
  signal?: AbortSignal,
): Promise<V03Artifact> {
  const { agentId, taskId, artifactId } = location;
  const kept = await session.getSavedTask(agentId, taskId);
  const keptArtifact = kept === null ? undefined : artifactOf(kept, artifactId);
  if (kept !== null && keptArtifact !== undefined && hasEnded(kept)) return keptArtifact;
  let current: V03Task;
  try {
    const { peer } = await session.agents.connect(agentId, signal);
    const task = await peer.get(
      { id: taskId, historyLength: 0 },
      { timeoutMilliseconds: ASK_MILLISECONDS, ...(signal && { signal }) },
    );
    current = coreTaskToV03(task, 'plain');
  } catch (error) {
    signal?.throwIfAborted();
    if (keptArtifact !== undefined) return keptArtifact;
    throw error;
  }
  const artifact = artifactOf(current, artifactId) ?? keptArtifact;
  if (artifact === undefined) throw noArtifact(location, current);
  return artifact;
}

function artifactOf({ artifacts }: V03Task, artifactId: string): V03Artifact | undefined {
  return artifacts?.find((artifact) => artifact.artifactId === artifactId);
}

function hasEnded(task: V03Task): boolean {
  return ENDED.has(task.status.state);
}

function noArtifact({ taskId, artifactId }: ArtifactLocation, task: V03Task): A2AError {
  const names = (task.artifacts ?? []).map((artifact) => artifact.artifactId);
  const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : '';
  const known = names.length === 0 ? 'none' : `${names.slice(0, MAX_NAMES).join(', ')}${more}`;
  const hint = hasEnded(task) ? '' : ' The task has not ended, so more artifacts may follow. Call getTask.';
  return new A2AError(
    'INVALID_PARAMS',
    `Task "${taskId}" has no artifact "${artifactId}". Its artifacts: ${known}.${hint}`,
  );
}
