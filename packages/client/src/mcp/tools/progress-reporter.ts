import type { ServerContext } from '@modelcontextprotocol/server';
import type { V03Event } from '@holdword/protocol';
import { shortenText } from '../../artifacts/data/shorten.ts';
import { contentsOfParts } from '../../llm/part-content.ts';

/** Artifact chunks may arrive by the thousand, so their progress is throttled. */
const PAUSE_MILLISECONDS = 100;
const MAX_MESSAGE_LENGTH = 200;

/** Reports the progress of a task to the host; undefined if the host did not ask for progress. */
export function progressReporter({
  mcpReq,
}: ServerContext): ((update: V03Event) => Promise<void>) | undefined {
  const { _meta: { progressToken } = {} } = mcpReq;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  let reportedAt = 0;
  return async (update) => {
    // The result follows immediately, and a host that reads both together may no longer know the call.
    if (update.kind === 'status-update' && update.final) return;
    const now = Date.now();
    if (update.kind === 'artifact-update' && now - reportedAt < PAUSE_MILLISECONDS) return;
    reportedAt = now;
    progress += 1;
    try {
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, message: messageOf(update) },
      });
    } catch {
      // Progress is optional: a disconnected host does not stop the call.
    }
  };
}

function messageOf(update: V03Event): string {
  if (update.kind === 'artifact-update') {
    const { name, artifactId } = update.artifact;
    return `artifact ${shortenText(name ?? artifactId, MAX_MESSAGE_LENGTH)}`;
  }
  const message = update.kind === 'message' ? update : update.status.message;
  const state = update.kind === 'message' ? 'message' : update.status.state;
  const text = contentsOfParts(message?.parts ?? []).find((content) => content.kind === 'text');
  return text === undefined ? state : `${state}: ${shortenText(text.text, MAX_MESSAGE_LENGTH)}`;
}
