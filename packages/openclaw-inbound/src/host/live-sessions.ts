import { CHANNEL_ID } from '../plugin-names.ts';

/** What the gateway says of a tool that is about to run. */
export interface ToolCallContext {
  readonly sessionKey?: string;
}

/** Undefined lets the tool run. */
export type ToolCallVerdict = { readonly block: true; readonly blockReason: string } | undefined;

const SHARED = Symbol.for('@holdword/openclaw-a2a-inbound/live-sessions');
const OURS = new RegExp(`^agent:[^:]+:${CHANNEL_ID}:`);
const NO_TOOLS =
  'This session belongs to a caller of the A2A channel, which has no turn now that may use tools. Answer without them.';

/**
 * The sessions of this channel in which a turn runs that may use tools.
 *
 * The gateway runs sessions by itself, too: after a crash it goes on with what was interrupted, and knows nothing of what the
 * caller of that turn was allowed. Such a run gets no tool, whoever the caller is.
 */
export class LiveSessions {
  /** The same for all copies of this code: the gateway loads several, and dispatches with one what it judges with another. */
  static ofProcess(): LiveSessions {
    const known: unknown = Reflect.get(globalThis, SHARED);
    if (isLiveSessions(known)) return known;
    const sessions = new LiveSessions();
    Reflect.set(globalThis, SHARED, sessions);
    return sessions;
  }

  readonly #withTools = new Map<string, number>();

  /** A turn of the session has begun; returns how to say that it is over. */
  enter(sessionKey: string, mayUseTools: boolean): () => void {
    if (!mayUseTools) return () => {};
    const key = sessionKey.toLowerCase();
    this.#withTools.set(key, (this.#withTools.get(key) ?? 0) + 1);
    return () => {
      const left = (this.#withTools.get(key) ?? 1) - 1;
      if (left === 0) this.#withTools.delete(key);
      else this.#withTools.set(key, left);
    };
  }

  /** Asked by the gateway before any tool of any session runs. */
  judge({ sessionKey = '' }: ToolCallContext): ToolCallVerdict {
    const key = sessionKey.toLowerCase();
    if (!OURS.test(key) || this.#withTools.has(key)) return undefined;
    return { block: true, blockReason: NO_TOOLS };
  }
}

function isLiveSessions(value: unknown): value is LiveSessions {
  return typeof value === 'object' && value !== null && 'enter' in value && 'judge' in value;
}
