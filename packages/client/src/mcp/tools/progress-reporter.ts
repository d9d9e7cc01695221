import type { ServerContext } from '@modelcontextprotocol/server';
import type { V03Event } from '@holdword/protocol';
import { shortenText } from '../../artifacts/data/shorten.ts';
import { contentsOfParts } from '../../llm/part-content.ts';

/** Pieces of artifacts may come by the thousand; nobody reads more of them. */
const PAUSE_MILLISECONDS = 100;
const MAX_MESSAGE_LENGTH = 200;

/** Tells a host what happens to a task while a call waits for it; undefined when the host did not ask to be told. */
export function progressReporter({
  mcpReq,
}: ServerContext): ((update: V03Event) => Promise<void>) | undefined {
  const { _meta: { progressToken } = {} } = mcpReq;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  let reportedAt = 0;
  return async (update) => {
    // The result says it, and comes at once: a host that reads both together may know no call for the progress any more.
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
      // A host that does not listen any more is no reason to stop.
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
