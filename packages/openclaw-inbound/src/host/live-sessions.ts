import { SESSION_ROUTES } from '@holdword/protocol/internal';
import { CHANNEL_ID } from '../plugin-names.ts';

/** A tool call that the gateway is about to run. */
export interface PendingToolCall {
  readonly toolName: string;
  readonly toolCallId?: string;
}

/** The gateway's context of a tool call. */
export interface ToolCallContext {
  readonly sessionKey?: string;
}

/** Undefined allows the tool call. */
export type ToolCallDecision = { readonly block: true; readonly blockReason: string } | undefined;

/** A running turn. */
export interface LiveTurn {
  readonly mayUseTools: boolean;
  /** Resolves when the call is recorded; only then may it run. */
  readonly onToolCall: (call: PendingToolCall) => Promise<void>;
}

const SHARED = Symbol.for('@holdword/openclaw-a2a-inbound/live-sessions');
const OURS = new RegExp(`^agent:[^:]+:${CHANNEL_ID}:`, 'i');
const NO_TOOLS =
  'This session belongs to a caller of the A2A channel without a running turn that may use tools. Answer without tools.';

/**
 * The sessions of this channel with a running turn.
 *
 * Responsible for tools running only during a turn that may use them, and only after the journal has recorded the call. What a
 * session may do without this plugin is in its entry, see `SessionGuard`.
 */
export class LiveSessions {
  /** Shared by all copies of this code in the process: the gateway loads several and uses different ones for dispatch and hooks. */
  static shared(): LiveSessions {
    const known: unknown = Reflect.get(globalThis, SHARED);
    if (isLiveSessions(known)) return known;
    const sessions = new LiveSessions();
    Reflect.set(globalThis, SHARED, sessions);
    return sessions;
  }

  readonly #turns = new Map<string, LiveTurn>();

  /** Registers the running turn of the session; the returned function unregisters it. */
  enter(sessionKey: string, turn: LiveTurn): () => void {
    return setWhile(this.#turns, sessionKey, turn);
  }

  /** Called by the gateway before every tool call of every session. */
  async checkToolCall(
    call: PendingToolCall,
    { sessionKey = '' }: ToolCallContext,
  ): Promise<ToolCallDecision> {
    if (!isOurs(sessionKey)) return undefined;
    const turn = this.#turns.get(sessionKey.toLowerCase());
    if (turn?.mayUseTools !== true) return { block: true, blockReason: NO_TOOLS };
    await turn.onToolCall(call);
    return undefined;
  }
}

/** Whether a session belongs to this channel. */
export function isOurs(sessionKey: string): boolean {
  return OURS.test(sessionKey);
}

/** Sets the value of a session; the returned function removes it, unless another value has replaced it. */
function setWhile<Value>(values: Map<unknown, Value>, sessionKey: string, value: Value): () => void {
  const key = sessionKey.toLowerCase();
  values.set(key, value);
  return () => {
    if (values.get(key) === value) values.delete(key);
  };
}

function isLiveSessions(value: unknown): value is LiveSessions {
  return typeof value === 'object' && value !== null && 'enter' in value && 'checkToolCall' in value;
}

/**
 * Publishes the route of the message that a session is answering, for plugins of this process that call other agents; the
 * returned function removes it. The route is untrusted input: readers must validate it.
 */
export function enterRoute(sessionKey: string, route: unknown): () => void {
  if (route === undefined) return () => {};
  return setWhile(routesOfProcess(), sessionKey, route);
}

function routesOfProcess(): Map<unknown, unknown> {
  const known: unknown = Reflect.get(globalThis, SESSION_ROUTES);
  if (known instanceof Map) return known;
  const routes = new Map<unknown, unknown>();
  Reflect.set(globalThis, SESSION_ROUTES, routes);
  return routes;
}
