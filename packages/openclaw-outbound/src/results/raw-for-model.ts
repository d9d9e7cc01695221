import { minimizeMessage, minimizeTask } from '@holdword/client';
import { type Artifact, isInterrupted, type JsonObject, type Part, type V03Event } from '@holdword/protocol';
import type { OmittedEvents } from '../calls/event-log.ts';
import { replyEvent, type Reply, type ReplyContent } from '../calls/reply.ts';
import { shownId } from '../remote-ids.ts';
import { markedJson } from './foreign-text.ts';
import { saysMoreThanQuestion } from './question.ts';

const MAX_FRAMES = 20;

/**
 * `raw` for the model: kinds, ids and states. Text, questions and files are in the summary; data and links follow in `content`,
 * between the markers for untrusted text and cut to the budget.
 */
export function rawForModel({ content, log }: Reply, budget: number): JsonObject {
  const rest = withoutSummarized(content);
  return {
    ...(log === undefined ? frameOf(replyEvent(content)) : framesOf(log.events(), log.latest)),
    ...(rest !== undefined && { content: markedJson(minimized(rest, budget)) }),
  };
}

/** What the summary does not say; undefined if it says everything. */
function withoutSummarized(content: ReplyContent): ReplyContent | undefined {
  if ('message' in content) {
    const parts = content.message.parts.filter(isDataOrLink);
    return parts.length === 0 ? undefined : { message: { ...content.message, parts } };
  }
  const { status, artifacts = [] } = content.task;
  const left = artifacts
    .map((artifact): Artifact => ({ ...artifact, parts: artifact.parts.filter(isDataOrLink) }))
    .filter(({ parts }) => parts.length > 0);
  const asks = isInterrupted(status.state);
  const parts = (status.message?.parts ?? []).filter(
    (part) => isDataOrLink(part) && (!asks || part.data === undefined || saysMoreThanQuestion(part.data)),
  );
  if (left.length === 0 && parts.length === 0) return undefined;
  const { message, ...ownStatus } = status;
  return {
    task: {
      ...content.task,
      status: { ...ownStatus, ...(message && parts.length > 0 && { message: { ...message, parts } }) },
      artifacts: left,
    },
  };
}

function isDataOrLink({ data, url }: Part): boolean {
  return data !== undefined || url !== undefined;
}

function minimized(content: ReplyContent, budget: number): unknown {
  try {
    return 'task' in content
      ? minimizeTask(content.task, { budget })
      : minimizeMessage(content.message, { budget });
  } catch {
    // The budget is too small even for the ids.
    return { _omitted: true };
  }
}

function framesOf(events: readonly (V03Event | OmittedEvents)[], latest: V03Event | undefined): JsonObject {
  const frames = joinChunks(events);
  const shown = frames.slice(-MAX_FRAMES);
  return {
    ...(shown.length < frames.length && { omitted_events: frames.length - shown.length }),
    events: shown,
    finalEvent: latest === undefined ? null : frameOf(latest),
  };
}

/** The frames of events; consecutive chunks of an artifact are one frame. */
function joinChunks(events: readonly (V03Event | OmittedEvents)[]): JsonObject[] {
  const frames: JsonObject[] = [];
  let last: { artifactId: string; chunks: number } | undefined;
  for (const event of events) {
    if (event.kind !== 'artifact-update') {
      last = undefined;
      frames.push(frameOf(event));
      continue;
    }
    const { artifactId } = event.artifact;
    if (last?.artifactId === artifactId) {
      last.chunks += 1;
      frames[frames.length - 1] = { ...frameOf(event), chunks: last.chunks };
    } else {
      last = { artifactId, chunks: 1 };
      frames.push(frameOf(event));
    }
  }
  return frames;
}

/** An event without its content. Its task and conversation are in the continuation. */
function frameOf(event: V03Event | OmittedEvents): JsonObject {
  switch (event.kind) {
    case 'task': {
      const { kind, status } = event;
      const [id, contextId] = [shownId(event.id), shownId(event.contextId)];
      return {
        kind,
        ...(id !== undefined && { id }),
        ...(contextId !== undefined && { contextId }),
        status: { state: status.state },
      };
    }
    case 'status-update': {
      const { kind, status, final } = event;
      return { kind, status: { state: status.state }, final };
    }
    case 'artifact-update': {
      const { kind, artifact, append, lastChunk } = event;
      const artifactId = shownId(artifact.artifactId);
      return {
        kind,
        ...(artifactId !== undefined && { artifact: { artifactId } }),
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
