import type { toInboundMediaFacts } from '../api.ts';
import { CHANNEL_ID } from '../plugin-names.ts';
import type { ApprovalRouter } from './approvals.ts';
import type {
  ChannelRuntime,
  DispatchResult,
  InboundMessage,
  Ingress,
  ReplyOptions,
  ResolvedRoute,
} from './channel-runtime.ts';
import { chooseRoute, type RouteOptions } from './choose-route.ts';
import { gatewayNotice, isGatewayRestart, RESTARTING, retryLater } from './gateway-notices.ts';
import { hostEvents } from './host-events.ts';
import type { HostEvent, HostTurn, HostTurnEnd } from './host.ts';
import { enterRoute, type LiveSessions, type PendingToolCall } from './live-sessions.ts';
import type { SessionGuard } from './session-limits.ts';

export interface Gateway extends RouteOptions {
  readonly channelRuntime: ChannelRuntime;
  readonly approvals: Pick<ApprovalRouter, 'listen'>;
  readonly sessions: Pick<LiveSessions, 'enter'>;
  readonly guard: Pick<SessionGuard, 'limit' | 'isLimited'>;
  readonly toMediaFacts: typeof toInboundMediaFacts;
}

const ADMITTED = 'dispatch';
const LABEL = 'A2A';
const BUSY = retryLater('the session is busy');
const RESET = retryLater('the session was reset');

/** Runs one turn of an agent in the gateway's process. */
export async function dispatchTurn(gateway: Gateway, turn: HostTurn): Promise<HostTurnEnd> {
  const { accountId, config, channelRuntime, toMediaFacts } = gateway;
  const { route, buildEnvelope } = chooseRoute(gateway, turn);
  const ingress = await admit(gateway, turn, route);
  const { admission, reasonCode = admission } = ingress.ingress;
  if (admission !== ADMITTED) return { kind: 'rejected', reason: reasonCode };

  const timestamp = Date.now();
  const envelope = buildEnvelope({
    channel: LABEL,
    from: turn.senderName,
    timestamp,
    body: turn.text,
  });
  const message = inboundMessage(turn, { accountId, route, ingress, timestamp, envelope, toMediaFacts });
  const dequeue = new AbortController();
  const signal = AbortSignal.any([turn.signal, dequeue.signal]);
  let isBusy = false;
  let isReset = false;
  let notice: string | undefined;
  let hasCompleted = false;
  let exitSession: (() => void) | undefined;
  const handleEvent = (event: HostEvent): void => {
    // Not earlier: until then another run may own the session.
    if (event.kind === 'run-started')
      exitSession ??= enterSession(gateway, turn, route.sessionKey, recordCall);
    if (event.kind === 'outcome' && event.outcome === 'completed') hasCompleted = true;
    // An agent that has completed may have written the same text.
    const found = hasCompleted ? undefined : gatewayNotice(event);
    notice ??= found;
    // A notice of the gateway is not an answer of the agent.
    if (!isBusy && found === undefined) turn.onEvent(event);
  };
  const events = hostEvents(handleEvent, () => turn.written());
  const { callbacks, delivery, recordCall } = events;
  const stopListening = listenForApprovals(gateway, turn, route.sessionKey);
  try {
    const { agentId, dmScope, sessionKey } = route;
    const result = await channelRuntime.inbound.dispatch({
      cfg: config,
      channel: CHANNEL_ID,
      accountId,
      route: { agentId, sessionKey, ...(dmScope !== undefined && { dmScope }) },
      ctxPayload: channelRuntime.inbound.buildContext(message),
      afterRecord: () => gateway.guard.limit(route, turn),
      delivery,
      replyOptions: {
        sourceReplyDeliveryMode: 'automatic',
        abortSignal: signal,
        ...toolsOf(turn),
        ...(!turn.privateFiles && { bootstrapContextMode: 'lightweight' }),
        // Both are required for the gateway to report tools.
        suppressDefaultToolProgressMessages: true,
        allowToolLifecycleWhenProgressHidden: true,
        preserveProgressCallbackStartOrder: true,
        turnAdoptionLifecycle: {
          admission: 'exclusive',
          abortSignal: signal,
          // The gateway may have reset the session since, and with it the limits under which it has prepared the run.
          onAdopted: async () => {
            if (await gateway.guard.isLimited(route, turn)) return;
            isReset = true;
            throw new Error('The session was reset.');
          },
          // Another run occupies the session, and the gateway would run this turn later without a reader. It is removed from
          // the queue below; rejecting it here would block the session's queue forever.
          onDeferred: () => {
            isBusy = true;
          },
        },
        ...callbacks,
      },
      replyPipeline: {},
    });
    if (isBusy) return BUSY;
    if (isReset) return RESET;
    // A notice after the start of the run means that the gateway ended the run.
    if (notice !== undefined) return exitSession === undefined ? retryLater(notice) : { kind: 'interrupted' };
    return endOf(result);
  } catch (error) {
    if (isReset) return RESET;
    if (!isGatewayRestart(error)) throw error;
    return exitSession === undefined ? RESTARTING : { kind: 'interrupted' };
  } finally {
    events.end();
    if (isBusy) dequeue.abort();
    exitSession?.();
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
    // The caller is already authenticated.
    allowFrom: [senderId],
  });
}

function enterSession(
  { sessions }: Gateway,
  { tools, route }: HostTurn,
  sessionKey: string,
  onToolCall: (call: PendingToolCall) => Promise<void>,
): () => void {
  const exitSession = sessions.enter(sessionKey, { mayUseTools: tools !== 'none', onToolCall });
  const exitRoute = enterRoute(sessionKey, route);
  return () => {
    exitSession();
    exitRoute();
  };
}

function listenForApprovals({ approvals }: Gateway, turn: HostTurn, sessionKey: string): () => void {
  if (!turn.asksCaller) return () => {};
  return approvals.listen(sessionKey, {
    requested: (approval) => turn.onEvent({ kind: 'approval', approval }),
    settled: (approvalId, how) => turn.onEvent({ kind: 'approval-settled', approvalId, how }),
  });
}

function toolsOf({ tools }: HostTurn): Pick<ReplyOptions, 'disableTools' | 'toolsAllow'> {
  if (tools === 'all') return {};
  return tools === 'none' ? { disableTools: true, toolsAllow: [] } : { toolsAllow: [...tools] };
}

function endOf({ admission, dispatched, dispatchResult }: DispatchResult): HostTurnEnd {
  if (admission.kind !== ADMITTED) return { kind: 'rejected', reason: admission.kind };
  if (!dispatched) return { kind: 'rejected', reason: 'it was not dispatched' };
  return dispatchResult?.deferredToActiveRun === undefined ? { kind: 'ended' } : BUSY;
}

/** Converts a turn's message to the gateway's channel message. */
function inboundMessage(
  turn: HostTurn,
  how: {
    accountId: string;
    route: ResolvedRoute;
    ingress: Ingress;
    timestamp: number;
    /** The text with its sender and time. */
    envelope: string;
    toMediaFacts: typeof toInboundMediaFacts;
  },
): InboundMessage {
  const { text, messageId, senderName, files, context } = turn;
  const { senderId, conversationId } = turn.session;
  const { agentId, dmScope, accountId = how.accountId, sessionKey } = how.route;
  const target = `${CHANNEL_ID}:${senderId}`;
  return {
    channel: CHANNEL_ID,
    accountId,
    messageId,
    messageIdFull: messageId,
    timestamp: how.timestamp,
    from: target,
    sender: { id: senderId, name: senderName },
    conversation: { kind: 'direct', id: conversationId, label: senderName },
    route: {
      agentId,
      accountId,
      routeSessionKey: sessionKey,
      dispatchSessionKey: sessionKey,
      ...(dmScope !== undefined && { dmScope }),
    },
    reply: { to: target, originatingTo: target },
    message: { body: how.envelope, bodyForAgent: text, rawBody: text, commandBody: text },
    ...(files.length > 0 && { media: how.toMediaFacts(filesOf(turn)) }),
    ...(context.length > 0 && { supplemental: { channelStructuredContext: contextOf(turn) } }),
    channelIngress: how.ingress,
    // A message of another agent is never a gateway command.
    extra: { CommandInterpretationSuppressed: true },
  };
}

function filesOf({ files, messageId }: HostTurn): Parameters<typeof toInboundMediaFacts>[0] {
  return files.map(({ path, mediaType, name }) => ({
    path,
    messageId,
    ...(mediaType !== undefined && { contentType: mediaType }),
    ...(name !== undefined && { fileName: name }),
  }));
}

/** Shown to the model as data, not as instructions. */
function contextOf({ context }: HostTurn): StructuredContext {
  return context.map(({ label, data }) => ({ label, source: CHANNEL_ID, type: 'data', payload: data }));
}

type StructuredContext = NonNullable<InboundMessage['supplemental']>['channelStructuredContext'];
