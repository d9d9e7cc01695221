import type { ApprovalListener } from '../host/approvals.ts';
import type { DispatchRequest, DispatchResult } from '../host/channel-runtime.ts';
import type { ResolveRoute } from '../host/choose-route.ts';
import type { Gateway } from '../host/dispatch-turn.ts';
import type { HostEvent, HostTurn } from '../host/host.ts';
import type { LiveTurn } from '../host/live-sessions.ts';

type RouteRequest = Parameters<ResolveRoute>[0];

/** What the gateway does with a dispatched turn. @returns the dispatch result, success by default */
export type DispatchScript = (
  request: DispatchRequest,
) => Promise<DispatchResult | void> | DispatchResult | void;

export interface ScriptedGateway extends Gateway {
  readonly asked: RouteRequest[];
  readonly dispatched: DispatchRequest[];
  /** The current approval listeners. */
  readonly listeners: Map<string, ApprovalListener>;
  /** The running turns, by session. */
  readonly turns: Map<string, LiveTurn>;
  /** The sessions with the limits of their turns. The script may remove one, as a gateway does when it resets a session. */
  readonly limited: Set<string>;
}

const DISPATCHED: DispatchResult = { admission: { kind: 'dispatch' }, dispatched: true };

/** The dispatching part of a gateway: routes follow its bindings, dispatch follows a script. */
export function scriptedGateway(
  script: DispatchScript = () => {},
  bindings: Readonly<Record<string, string>> = {},
): ScriptedGateway {
  const asked: RouteRequest[] = [];
  const dispatched: DispatchRequest[] = [];
  const listeners = new Map<string, ApprovalListener>();
  const turns = new Map<string, LiveTurn>();
  const limited = new Set<string>();
  return {
    asked,
    dispatched,
    listeners,
    turns,
    limited,
    accountId: 'default',
    config: { bindings: Object.keys(bindings) },
    accountConfig: { bindings: [] },
    resolveRoute: (request) => {
      asked.push(request);
      const names = [request.peer.id, request.parentPeer.id];
      const name = names.find((each) => request.cfg.bindings?.includes(each));
      const agentId = (name && bindings[name]) ?? request.defaultAgentId ?? 'the default of the gateway';
      const sessionKey = `agent:${agentId}:a2a:default:direct:${request.peer.id}`;
      return { route: { agentId, sessionKey }, buildEnvelope: ({ body }) => body };
    },
    toMediaFacts: (files) => files.map(({ path }) => ({ path })),
    approvals: {
      listen: (sessionKey, listener) => {
        listeners.set(sessionKey, listener);
        return () => listeners.delete(sessionKey);
      },
    },
    sessions: {
      enter: (sessionKey, turn) => {
        turns.set(sessionKey, turn);
        return () => turns.delete(sessionKey);
      },
    },
    guard: {
      limit: async ({ sessionKey }) => void limited.add(sessionKey),
      isLimited: async ({ sessionKey }) => limited.has(sessionKey),
    },
    channelRuntime: {
      inbound: {
        ingress: { resolveStable: async () => ({ ingress: { admission: 'dispatch' } }) },
        buildContext: ({ route }) => ({ SessionKey: route.dispatchSessionKey }),
        dispatch: async (request) => {
          dispatched.push(request);
          await request.afterRecord();
          return (await script(request)) ?? DISPATCHED;
        },
      },
      runtimeContexts: { register: () => undefined },
      activity: { record: () => {} },
      media: { saveMediaBuffer: async () => ({ path: '/saved' }) },
    },
  };
}

/** A turn of the peer `hermes`, with its recorded events. */
export function turnFor(changes: Partial<HostTurn> = {}): HostTurn & { readonly events: HostEvent[] } {
  const events: HostEvent[] = [];
  return {
    events,
    agent: { kind: 'account', agentId: 'main' },
    session: { senderId: 'peer-1a', conversationId: '2b' },
    contextId: 'c1',
    senderName: 'hermes',
    messageId: 'm-1',
    text: 'hello',
    context: [],
    files: [],
    tools: 'all',
    privateFiles: false,
    workspace: 'peer-hermes',
    asksCaller: true,
    signal: new AbortController().signal,
    onEvent: (event) => events.push(event),
    written: async () => {},
    ...changes,
  };
}
