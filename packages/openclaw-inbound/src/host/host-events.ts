import { randomUUID } from 'node:crypto';
import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import type {
  CommandOutputPayload,
  DispatchRequest,
  ItemPayload,
  ReplyOptions,
  ReplyPayload,
} from './channel-runtime.ts';
import type { HostEvent, HostMedia, ReplyEvent, ToolEvent } from './host.ts';
import type { PendingToolCall } from './live-sessions.ts';

type Callbacks = Pick<
  ReplyOptions,
  | 'onAgentRunStart'
  | 'onAgentRunTerminalOutcome'
  | 'onAssistantMessageStart'
  | 'onPartialReply'
  | 'onItemEvent'
  | 'onCommandOutput'
>;

/**
 * Turns the gateway's callbacks into one ordered sequence of events. `written` resolves when the events so far are on disk.
 */
export function hostEvents(
  onEvent: (event: HostEvent) => void,
  written: () => Promise<void>,
): {
  readonly callbacks: Callbacks;
  readonly delivery: DispatchRequest['delivery'];
  /** Reports a tool call before it runs. Resolves when it is on disk. */
  readonly recordCall: (call: PendingToolCall) => Promise<void>;
} {
  const started = new Set<string>();
  const emitTool = (event: ToolEvent | undefined): void => {
    if (event === undefined) return;
    // The gateway reports a start after the hook that records it.
    if (event.phase === 'start' && started.has(event.callId)) return;
    started.add(event.callId);
    onEvent(event);
  };
  return {
    callbacks: {
      onAgentRunStart: () => onEvent({ kind: 'run-started' }),
      onAgentRunTerminalOutcome: (outcome) => onEvent({ kind: 'outcome', outcome }),
      onAssistantMessageStart: () => onEvent({ kind: 'assistant-message-started' }),
      onPartialReply: ({ text }) => {
        if (text !== undefined) onEvent({ kind: 'partial-text', text });
      },
      onItemEvent: (item) => emitTool(toolEventOf(item)),
      onCommandOutput: (output) => emitTool(outputEventOf(output)),
    },
    delivery: {
      // The gateway considers a reply delivered when this resolves.
      deliver: async (payload, info) => {
        if (payload.isReasoning === true) return;
        onEvent(replyEventOf(payload, info.kind));
        await written();
        // The gateway's cleanup blocks the event loop next; this sends the response to the caller first.
        await nextEventLoopTurn();
      },
      // A reply that could not be delivered shows up in the turn's outcome.
      onError: () => {},
    },
    recordCall: async ({ toolName, toolCallId = randomUUID() }) => {
      emitTool({ kind: 'tool', phase: 'start', name: toolName, callId: toolCallId });
      await written();
    },
  };
}

/** Other item kinds are reasoning and plans; progress between start and end comes with the output. */
function toolEventOf({ kind, name, toolCallId, phase, status }: ItemPayload): ToolEvent | undefined {
  if (kind !== 'tool' || !name || !toolCallId) return undefined;
  const call = { kind, name, callId: toolCallId } as const;
  if (phase === 'start') return { ...call, phase };
  return phase === 'end' ? { ...call, phase: 'result', status } : undefined;
}

function outputEventOf(payload: CommandOutputPayload): ToolEvent | undefined {
  const { name, toolCallId, phase, status, output } = payload;
  if (!name || !toolCallId || !output) return undefined;
  const call = { kind: 'tool', name, callId: toolCallId, output } as const;
  return phase === 'end' ? { ...call, phase: 'result', status } : { ...call, phase: 'update' };
}

function replyEventOf(payload: ReplyPayload, kind: string): ReplyEvent {
  return {
    kind: 'reply',
    reply: kind === 'block' || kind === 'tool' ? kind : 'final',
    text: payload.text,
    media: mediaOf(payload),
    isError: payload.isError === true,
  };
}

/** A single file is in both fields. */
function mediaOf({ mediaUrls = [], mediaUrl, attachments = [] }: ReplyPayload): HostMedia[] {
  const references = new Set([...mediaUrls, ...(mediaUrl ? [mediaUrl] : [])]);
  return [...references].map((reference, index) => ({ reference, name: attachments[index]?.name }));
}
