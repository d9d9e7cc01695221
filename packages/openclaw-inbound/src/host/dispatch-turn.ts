import type { OpenClawConfig, toInboundMediaFacts } from '../api.ts';
import type { ApprovalDesk } from '../approvals/approval-desk.ts';
import { CHANNEL_ID } from '../plugin-names.ts';
import type {
  ChannelRuntime,
  DispatchResult,
  Ingress,
  ReplyOptions,
  ResolvedRoute,
} from './channel-runtime.ts';
import { chooseRoute, type ResolveRoute } from './choose-route.ts';
import { hostEvents } from './host-events.ts';
import type { HostTurn, HostTurnEnd } from './host-turn.ts';
import { inboundMessage } from './inbound-message.ts';
import type { LiveSessions } from './live-sessions.ts';
import { enterRoute } from './session-routes.ts';

export interface Gateway {
  readonly accountId: string;
  readonly config: OpenClawConfig;
  readonly channelRuntime: ChannelRuntime;
  readonly approvals: Pick<ApprovalDesk, 'listen'>;
  readonly sessions: Pick<LiveSessions, 'enter'>;
  readonly resolveRoute: ResolveRoute;
  readonly toMediaFacts: typeof toInboundMediaFacts;
}

const ADMITTED = 'dispatch';
const LABEL = 'A2A';
const BUSY: HostTurnEnd = { kind: 'refused', reason: 'the session is busy', later: true };

/** Runs one turn of an agent in the gateway's process. */
export async function dispatchTurn(gateway: Gateway, turn: HostTurn): Promise<HostTurnEnd> {
  const { accountId, config, channelRuntime, toMediaFacts } = gateway;
  const { route, buildEnvelope } = chooseRoute(gateway, turn);
  const ingress = await admit(gateway, turn, route);
  const { admission, reasonCode = admission } = ingress.ingress;
  if (admission !== ADMITTED) return { kind: 'refused', reason: reasonCode };

  const timestamp = Date.now();
  const envelope = buildEnvelope({
    channel: LABEL,
    from: turn.senderName,
    timestamp,
    body: turn.text,
  });
  const message = inboundMessage(turn, { accountId, route, ingress, timestamp, envelope, toMediaFacts });
  const takeBack = new AbortController();
  const signal = AbortSignal.any([turn.signal, takeBack.signal]);
  let isBusy = false;
  let leaveSession: (() => void) | undefined;
  const { callbacks, delivery } = hostEvents(
    (event) => {
      // Not before: until then the session may be in the hands of a run that is not this turn's.
      if (event.kind === 'run-started') leaveSession ??= enterSession(gateway, turn, route.sessionKey);
      // What the gateway says instead of an answer when the session takes no message now.
      if (!isBusy) turn.onEvent(event);
    },
    () => turn.written(),
  );
  const stopListening = listenForQuestions(gateway, turn, route.sessionKey);
  try {
    const { agentId, dmScope, sessionKey } = route;
    const result = await channelRuntime.inbound.dispatch({
      cfg: config,
      channel: CHANNEL_ID,
      accountId,
      route: { agentId, sessionKey, ...(dmScope !== undefined && { dmScope }) },
      ctxPayload: channelRuntime.inbound.buildContext(message),
      delivery,
      replyOptions: {
        sourceReplyDeliveryMode: 'automatic',
        abortSignal: signal,
        ...toolsOf(turn),
        // Only with both of these does the gateway tell of its tools at all.
        suppressDefaultToolProgressMessages: true,
        allowToolLifecycleWhenProgressHidden: true,
        preserveProgressCallbackStartOrder: true,
        turnAdoptionLifecycle: {
          admission: 'exclusive',
          abortSignal: signal,
          onAdopted: async () => {},
          // The gateway runs something of its own in the session, and would run this later, with nobody to hear it. It is
          // taken back below: to refuse it here would leave the session's queue waiting for ever.
          onDeferred: () => {
            isBusy = true;
          },
        },
        ...callbacks,
      },
      replyPipeline: {},
    });
    return isBusy ? BUSY : endOf(result);
  } catch (error) {
    if (isRestart(error)) return { kind: 'refused', reason: 'the gateway is restarting', later: true };
    throw error;
  } finally {
    if (isBusy) takeBack.abort();
    leaveSession?.();
    stopListening();
  }
}

async function admit(
  { accountId, config, channelRuntime }: Gateway,
  { messageId, session }: HostTurn,
  { agentId, sessionKey }: ResolvedRoute,
): Promise<Ingress> {
  const { senderId, conversationId } = session;
  return channelRuntime.inbound.ingress.resolveStable({
    channelId: CHANNEL_ID,
    accountId,
    cfg: config,
    identity: { key: 'sender', entryIdPrefix: `${CHANNEL_ID}-entry` },
    subject: { stableId: senderId },
    conversation: { kind: 'direct', id: conversationId },
    contextBinding: { agentId, sessionKey, messageId, inboundEventKind: 'user_request' },
    dmPolicy: 'allowlist',
    // Who may call was decided before: this caller may.
    allowFrom: [senderId],
  });
}

function enterSession({ sessions }: Gateway, { tools, route }: HostTurn, sessionKey: string): () => void {
  const leaveSession = sessions.enter(sessionKey, tools !== 'none');
  const leaveRoute = enterRoute(sessionKey, route);
  return () => {
    leaveSession();
    leaveRoute();
  };
}

function listenForQuestions({ approvals }: Gateway, turn: HostTurn, sessionKey: string): () => void {
  if (!turn.asksCaller) return () => {};
  return approvals.listen(sessionKey, {
    asked: (approval) => turn.onEvent({ kind: 'approval', approval }),
    settled: () => {},
  });
}

/**
 * The gateway is about to restart and begins nothing new, or has restarted and has not yet seen to what was interrupted in
 * the session. Told by name and words: the classes are in the gateway's own files.
 */
function isRestart(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'GatewayDrainingError' || error.message.startsWith('Restart recovery');
}

function toolsOf({ tools }: HostTurn): Pick<ReplyOptions, 'disableTools' | 'toolsAllow'> {
  if (tools === 'all') return {};
  return tools === 'none' ? { disableTools: true, toolsAllow: [] } : { toolsAllow: [...tools] };
}

function endOf({ admission, dispatched, dispatchResult }: DispatchResult): HostTurnEnd {
  if (admission.kind !== ADMITTED) return { kind: 'refused', reason: admission.kind };
  if (!dispatched) return { kind: 'refused', reason: 'it was not dispatched' };
  return dispatchResult?.deferredToActiveRun === undefined ? { kind: 'ended' } : BUSY;
}
