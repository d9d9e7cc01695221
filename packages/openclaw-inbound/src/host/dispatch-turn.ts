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
import { noticeIn } from './gateway-notices.ts';
import { hostEvents } from './host-events.ts';
import type { HostEvent, HostTurn, HostTurnEnd } from './host-turn.ts';
import { inboundMessage } from './inbound-message.ts';
import type { LiveSessions } from './live-sessions.ts';
import { isRestart, putOff, RESTARTING } from './put-off.ts';
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
const BUSY = putOff('the session is busy');

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
  let notice: string | undefined;
  let hasCompleted = false;
  let leaveSession: (() => void) | undefined;
  const hear = (event: HostEvent): void => {
    // Not before: until then the session may be in the hands of a run that is not this turn's.
    if (event.kind === 'run-started') leaveSession ??= enterSession(gateway, turn, route.sessionKey);
    if (event.kind === 'outcome' && event.outcome === 'completed') hasCompleted = true;
    // An agent that has answered may have used the same words.
    const found = hasCompleted ? undefined : noticeIn(event);
    notice ??= found;
    // What the gateway says instead of an answer is nothing that the agent says.
    if (!isBusy && found === undefined) turn.onEvent(event);
  };
  const { callbacks, delivery } = hostEvents(hear, () => turn.written());
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
    if (isBusy) return BUSY;
    // Told after the run had begun, it says that the gateway has ended that run.
    if (notice !== undefined) return leaveSession === undefined ? putOff(notice) : { kind: 'interrupted' };
    return endOf(result);
  } catch (error) {
    if (!isRestart(error)) throw error;
    return leaveSession === undefined ? RESTARTING : { kind: 'interrupted' };
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
    settled: (approvalId) => turn.onEvent({ kind: 'approval-settled', approvalId }),
  });
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
