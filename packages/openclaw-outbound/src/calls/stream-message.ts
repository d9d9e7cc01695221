import { TaskView, type AgentConnection, type PeerEvent } from '@holdword/client/internal';
import { isConnectionError } from '@holdword/net/internal';
import {
  A2AError,
  isTerminal,
  type Message,
  type SendMessageRequest,
  type StreamResponse,
} from '@holdword/protocol';
import { peerOptions, type RemoteCall } from './remote-call.ts';
import type { EventLog } from './event-log.ts';
import { follow, recordEvent, replyOf } from './follow.ts';
import type { Reply } from './reply.ts';

/** Attempts to send a message when the connection is lost before any response, if retrying is safe. */
const MAX_ATTEMPTS = 3;

/** What is known of a response while it streams. */
export interface StreamProgress {
  /** The task that the message started, once the agent has named it. */
  view?: TaskView;
}

/**
 * Sends a message and reads the stream until the agent is done. If the connection is lost once the task is known, the task is
 * followed instead; before that, the message is retried only if that cannot run the work twice.
 */
export async function streamMessage(
  call: RemoteCall,
  request: SendMessageRequest,
  log: EventLog,
  progress: StreamProgress,
): Promise<Reply> {
  const state: StreamState = { progress };
  for (let attempt = 0; ; attempt += 1) {
    const connection = await call.connect(attempt);
    try {
      await readStream(call, connection, request, log, state);
    } catch (error) {
      if (!isConnectionError(error) || call.limit.isExpired) throw error;
      const safe = !error.sent || connection.extensions.idempotency;
      if (progress.view === undefined) {
        if (log.count > 0 || !safe || attempt + 1 >= MAX_ATTEMPTS) throw error;
        await call.limit.pause(100 * 2 ** attempt);
        continue;
      }
      await follow(call, progress.view, log);
    }
    if (state.message !== undefined) {
      return { content: { message: state.message }, streaming: connection.card.capabilities.streaming, log };
    }
    const { view } = progress;
    if (view === undefined) throw new A2AError('INVALID_AGENT_RESPONSE', 'stream ended without events');
    // The stream ended before its task: an intermediary cut it. An agent that supports resuming loses nothing.
    if (!view.isSettled && connection.extensions.resume) await follow(call, view, log);
    return replyOf(view, connection.card, log);
  }
}

interface StreamState {
  readonly progress: StreamProgress;
  message?: Message;
}

async function readStream(
  call: RemoteCall,
  { peer }: AgentConnection,
  request: SendMessageRequest,
  log: EventLog,
  state: StreamState,
): Promise<void> {
  const { progress } = state;
  for await (const peerEvent of peer.stream(request, peerOptions(call))) {
    const { event } = peerEvent;
    recordEvent(call, progress.view?.id, log, event);
    if ('message' in event) {
      // An agent answers with a message or with a task. A message during a task is only logged.
      if (progress.view !== undefined) continue;
      state.message = event.message;
      return;
    }
    if (progress.view === undefined) progress.view = beginView(peerEvent);
    else progress.view.apply(peerEvent);
    // A snapshot may still contain the question that this message answers.
    const { view } = progress;
    if ('task' in event ? isTerminal(view.status.state) : view.isSettled) return;
  }
}

/** Builds a view from the first event, which is not necessarily a task snapshot. */
function beginView({ event, sequence }: PeerEvent): TaskView {
  if ('task' in event) return new TaskView(event.task, sequence);
  const { taskId: id, contextId } = updateOf(event);
  if (id === '') {
    throw new A2AError('INVALID_AGENT_RESPONSE', 'The agent sent a task event without a task id.');
  }
  const view = new TaskView({ id, contextId, status: { state: 'TASK_STATE_WORKING' } });
  view.apply({ event, ...(sequence !== undefined && { sequence }) });
  return view;
}

function updateOf(event: StreamResponse): { taskId: string; contextId: string } {
  if ('statusUpdate' in event) return event.statusUpdate;
  return 'artifactUpdate' in event ? event.artifactUpdate : { taskId: '', contextId: '' };
}
