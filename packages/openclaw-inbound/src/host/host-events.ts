import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import type {
  CommandOutputPayload,
  DispatchRequest,
  ItemPayload,
  ReplyOptions,
  ReplyPayload,
} from './channel-runtime.ts';
import type { HostEvent, HostMedia, ReplyEvent, ToolEvent } from './host-turn.ts';

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
 * The gateway's callbacks, all told in one place and in the order in which they come. `written` resolves when what was told
 * is on disk.
 */
export function hostEvents(
  onEvent: (event: HostEvent) => void,
  written: () => Promise<void>,
): {
  readonly callbacks: Callbacks;
  readonly delivery: DispatchRequest['delivery'];
} {
  const tellTool = (event: ToolEvent | undefined): void => {
    if (event !== undefined) onEvent(event);
  };
  return {
    callbacks: {
      onAgentRunStart: () => onEvent({ kind: 'run-started' }),
      onAgentRunTerminalOutcome: (outcome) => onEvent({ kind: 'outcome', outcome }),
      onAssistantMessageStart: () => onEvent({ kind: 'assistant-message-started' }),
      onPartialReply: ({ text }) => {
        if (text !== undefined) onEvent({ kind: 'partial-text', text });
      },
      onItemEvent: (item) => tellTool(toolEventOf(item)),
      onCommandOutput: (output) => tellTool(outputEventOf(output)),
    },
    delivery: {
      // The gateway takes a reply for delivered when this resolves.
      deliver: async (payload, info) => {
        if (payload.isReasoning === true) return;
        onEvent(replyEventOf(payload, info.kind));
        await written();
        // The gateway tidies up next, and nothing leaves the process meanwhile: callers get what they wait for first.
        await nextTurnOfTheLoop();
      },
      // The host could not hand a reply over; what is missing then shows in the turn's outcome.
      onError: () => {},
    },
  };
}

/** Other kinds of items are thoughts and plans; what happens between the start and the end is told with the output. */
export function toolEventOf({ kind, name, toolCallId, phase, status }: ItemPayload): ToolEvent | undefined {
  if (kind !== 'tool' || !name || !toolCallId) return undefined;
  const call = { kind, name, callId: toolCallId } as const;
  if (phase === 'start') return { ...call, phase };
  return phase === 'end' ? { ...call, phase: 'result', ...(status && { status }) } : undefined;
}

export function outputEventOf(payload: CommandOutputPayload): ToolEvent | undefined {
  const { name, toolCallId, phase, status, output } = payload;
  if (!name || !toolCallId || !output) return undefined;
  const call = { kind: 'tool', name, callId: toolCallId, output } as const;
  return phase === 'end'
    ? { ...call, phase: 'result', ...(status && { status }) }
    : { ...call, phase: 'update' };
}

export function replyEventOf(payload: ReplyPayload, kind: string): ReplyEvent {
  return {
    kind: 'reply',
    reply: kind === 'block' || kind === 'tool' ? kind : 'final',
    ...(payload.text !== undefined && { text: payload.text }),
    media: mediaOf(payload),
    isError: payload.isError === true,
  };
}

/** A single file stands in both fields. */
function mediaOf({ mediaUrls = [], mediaUrl, attachments = [] }: ReplyPayload): HostMedia[] {
  const references = new Set([...mediaUrls, ...(mediaUrl ? [mediaUrl] : [])]);
  return [...references].map((reference, index) => {
    const name = attachments[index]?.name;
    return { reference, ...(name !== undefined && { name }) };
  });
}
