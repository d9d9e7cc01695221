import { SESSION_ROUTES } from '@holdword/protocol/internal';
import { CHANNEL_ID } from '../plugin-names.ts';

/** The gateway's context of a tool call. */
export interface ToolCallContext {
  readonly sessionKey?: string;
}

/** Undefined allows the tool call. */
export type ToolCallDecision = { readonly block: true; readonly blockReason: string } | undefined;

const SHARED = Symbol.for('@holdword/openclaw-a2a-inbound/live-sessions');
const OURS = new RegExp(`^agent:[^:]+:${CHANNEL_ID}:`);
const NO_TOOLS =
  'This session belongs to a caller of the A2A channel without a running turn that may use tools. Answer without tools.';

/**
 * The sessions of this channel with a running turn that may use tools.
 *
 * The gateway also runs sessions on its own: after a crash it recovers interrupted runs without knowing the permissions of
 * their callers. Such a run gets no tools.
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

  readonly #withTools = new Map<string, number>();

  /** Registers a running turn of the session; the returned function unregisters it. */
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

  /** Called by the gateway before every tool call of every session. */
  checkToolCall({ sessionKey = '' }: ToolCallContext): ToolCallDecision {
    const key = sessionKey.toLowerCase();
    if (!OURS.test(key) || this.#withTools.has(key)) return undefined;
    return { block: true, blockReason: NO_TOOLS };
  }
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
  const routes = routesOfProcess();
  const key = sessionKey.toLowerCase();
  routes.set(key, route);
  return () => {
    if (routes.get(key) === route) routes.delete(key);
  };
}

function routesOfProcess(): Map<unknown, unknown> {
  const known: unknown = Reflect.get(globalThis, SESSION_ROUTES);
  if (known instanceof Map) return known;
  const routes = new Map<unknown, unknown>();
  Reflect.set(globalThis, SESSION_ROUTES, routes);
  return routes;
}
