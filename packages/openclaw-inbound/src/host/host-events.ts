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
  /** The dispatch has ended. */
  readonly end: () => void;
} {
  const tools = new ToolCalls(onEvent);
  const emit = (event: HostEvent): void => {
    tools.endAll();
    onEvent(event);
  };
  return {
    callbacks: {
      onAgentRunStart: () => emit({ kind: 'run-started' }),
      onAgentRunTerminalOutcome: (outcome) => emit({ kind: 'outcome', outcome }),
      onAssistantMessageStart: () => emit({ kind: 'assistant-message-started' }),
      onPartialReply: ({ text }) => {
        if (text !== undefined) emit({ kind: 'partial-text', text });
      },
      onItemEvent: (item) => tools.onItem(item),
      onCommandOutput: (output) => tools.onOutput(output),
    },
    delivery: {
      // The gateway considers a reply delivered when this resolves.
      deliver: async (payload, info) => {
        if (payload.isReasoning === true) return;
        emit(replyEventOf(payload, info.kind));
        await written();
        // The gateway's cleanup blocks the event loop next; this sends the response to the caller first.
        await nextEventLoopTurn();
      },
      // A reply that could not be delivered shows up in the turn's outcome.
      onError: () => {},
    },
    recordCall: async ({ toolName, toolCallId = randomUUID() }) => {
      tools.onCall(toolName, toolCallId);
      await written();
    },
    end: () => tools.endAll(),
  };
}

/**
 * The tool calls of a dispatch. Responsible for one result per call: the gateway reports the end of a command as an item and
 * once or twice as output, and not every command has output. The result of a command therefore waits for its output, until
 * something other than a tool follows.
 */
class ToolCalls {
  readonly #onEvent: (event: ToolEvent) => void;
  readonly #started = new Set<string>();
  readonly #waiting = new Map<string, ToolEvent>();
  readonly #ended = new Set<string>();

  constructor(onEvent: (event: ToolEvent) => void) {
    this.#onEvent = onEvent;
  }

  /** A call that is about to run. The gateway reports its start once more when it runs. */
  onCall(name: string, callId: string): void {
    this.#emit({ kind: 'tool', phase: 'start', name, callId });
  }

  onItem(item: ItemPayload): void {
    const event = toolEventOf(item);
    if (event === undefined) return;
    if (event.phase === 'result' && item.commandBearing === true) this.#wait(event);
    else this.#emit(event);
  }

  onOutput(payload: CommandOutputPayload): void {
    const event = outputEventOf(payload);
    if (event === undefined) return;
    if (event.phase === 'result' && event.output === undefined) this.#wait(event);
    else this.#emit(event);
  }

  /** No more output is to be expected. */
  endAll(): void {
    for (const event of this.#waiting.values()) this.#emit(event);
  }

  #wait(event: ToolEvent): void {
    const { callId, status = this.#waiting.get(callId)?.status } = event;
    if (!this.#ended.has(callId)) this.#waiting.set(callId, { ...event, status });
  }

  #emit(event: ToolEvent): void {
    const { callId, phase } = event;
    if (this.#ended.has(callId) || (phase === 'start' && this.#started.has(callId))) return;
    this.#started.add(callId);
    if (phase === 'result') {
      this.#ended.add(callId);
      this.#waiting.delete(callId);
    }
    this.#onEvent(event);
  }
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
  if (!name || !toolCallId) return undefined;
  const call = { kind: 'tool', name, callId: toolCallId, ...(output && { output }) } as const;
  if (phase === 'end') return { ...call, phase: 'result', status };
  return output ? { ...call, phase: 'update' } : undefined;
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
