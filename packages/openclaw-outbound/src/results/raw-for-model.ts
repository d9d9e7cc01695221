import { minimizeMessage, minimizeTask } from '@holdword/client';
import type { JsonObject, V03Event } from '@holdword/protocol';
import { coreMessageToV03, coreTaskToV03 } from '@holdword/protocol/internal';
import type { OmittedEvents } from '../calls/event-log.ts';
import type { Reply } from '../calls/reply.ts';
import { hasMoreThanText } from './reply-text.ts';
import { untrustedText } from './untrusted-text.ts';

const MAX_EVENTS = 20;
const MAX_NAME_LENGTH = 100;

/**
 * `raw` for the model: kinds, ids and states. Text is in the summary; data and files follow in `content`, between the markers
 * for untrusted text and cut to the budget.
 */
export function rawForModel(reply: Reply, budget: number): JsonObject {
  const { content, log } = reply;
  return {
    ...(log === undefined ? frameOf(contentEvent(reply)) : framesOf(log.events(), log.latest)),
    ...(hasMoreThanText(content) && { content: untrustedText(JSON.stringify(minimized(reply, budget))) }),
  };
}

function minimized({ content }: Reply, budget: number): unknown {
  try {
    return 'task' in content
      ? minimizeTask(content.task, { budget })
      : minimizeMessage(content.message, { budget });
  } catch {
    // The budget is too small even for the ids.
    return { _omitted: true };
  }
}

function contentEvent({ content }: Reply): V03Event {
  return 'task' in content
    ? coreTaskToV03(content.task, 'plain')
    : coreMessageToV03(content.message, 'plain');
}

function framesOf(events: readonly (V03Event | OmittedEvents)[], latest: V03Event | undefined): JsonObject {
  const shown = events.slice(-MAX_EVENTS);
  return {
    ...(shown.length < events.length && { omitted_events: events.length - shown.length }),
    events: shown.map(frameOf),
    finalEvent: latest === undefined ? null : frameOf(latest),
  };
}

/** An event without its content. */
function frameOf(event: V03Event | OmittedEvents): JsonObject {
  switch (event.kind) {
    case 'task':
      return {
        kind: event.kind,
        id: event.id,
        contextId: event.contextId,
        status: { state: event.status.state },
      };
    case 'status-update': {
      const { kind, taskId, contextId, status, final } = event;
      return { kind, taskId, contextId, status: { state: status.state }, final };
    }
    case 'artifact-update': {
      const { kind, taskId, contextId, artifact, append, lastChunk } = event;
      const artifactId = artifact.artifactId.slice(0, MAX_NAME_LENGTH);
      return {
        kind,
        taskId,
        contextId,
        artifact: { artifactId },
        ...(append !== undefined && { append }),
        ...(lastChunk !== undefined && { lastChunk }),
      };
    }
    case 'message':
    case 'omitted':
    default:
      return { ...(event.kind === 'omitted' ? event : { kind: event.kind }) };
  }
}
