import { TaskView, type AgentConnection, type PeerEvent } from '@holdword/client';
import { isConnectionError } from '@holdword/net';
import {
  A2AError,
  isTerminal,
  type Message,
  type SendMessageRequest,
  type StreamResponse,
} from '@holdword/protocol';
import { peerOptions, type Call } from './call.ts';
import type { EventLog } from './event-log.ts';
import { follow, note, replyOf } from './follow.ts';
import type { Reply } from './reply.ts';

/** How often a message is sent whose connection broke before anything came back, where that is safe. */
const ATTEMPTS = 3;

/** What is known of an answer while it streams in. */
export interface StreamProgress {
  /** The task that the message began, once its agent has named it. */
  view?: TaskView;
}

/**
 * Sends a message and reads what its agent says until it is done. When the connection breaks after the task is known, the
 * task is followed instead; before that the message is sent again only where it cannot do its work twice.
 */
export async function streamMessage(
  call: Call,
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
      if (!isConnectionError(error) || call.limit.isUp) throw error;
      const safe = !error.sent || connection.extensions.idempotency;
      if (progress.view === undefined) {
        if (log.count > 0 || !safe || attempt + 1 >= ATTEMPTS) throw error;
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
    // A stream that ends before its task does was cut by somebody on the way; with numbers nothing of it is lost.
    if (!view.isSettled && connection.extensions.resume) await follow(call, view, log);
    return replyOf(view, connection.card, log);
  }
}

interface StreamState {
  readonly progress: StreamProgress;
  message?: Message;
}

async function readStream(
  call: Call,
  { peer }: AgentConnection,
  request: SendMessageRequest,
  log: EventLog,
  state: StreamState,
): Promise<void> {
  const { progress } = state;
  for await (const peerEvent of peer.stream(request, peerOptions(call))) {
    const { event } = peerEvent;
    note(call, progress.view?.id, log, event);
    if ('message' in event) {
      // An agent answers with a message or with a task; one that comes while its task runs is in the log alone.
      if (progress.view !== undefined) continue;
      state.message = event.message;
      return;
    }
    if (progress.view === undefined) progress.view = beginView(peerEvent);
    else progress.view.apply(peerEvent);
    // A snapshot may still show the question that this message answers.
    const { view } = progress;
    if ('task' in event ? isTerminal(view.status.state) : view.isSettled) return;
  }
}

/** What is known of a task after its first event, which need not be the task itself. */
function beginView({ event, sequence }: PeerEvent): TaskView {
  if ('task' in event) return new TaskView(event.task, sequence);
  const { taskId: id, contextId } = updateOf(event);
  if (id === '') {
    throw new A2AError('INVALID_AGENT_RESPONSE', 'The agent sent an event of a task without its id.');
  }
  const view = new TaskView({ id, contextId, status: { state: 'TASK_STATE_WORKING' } });
  view.apply({ event, ...(sequence !== undefined && { sequence }) });
  return view;
}

function updateOf(event: StreamResponse): { taskId: string; contextId: string } {
  if ('statusUpdate' in event) return event.statusUpdate;
  return 'artifactUpdate' in event ? event.artifactUpdate : { taskId: '', contextId: '' };
}
