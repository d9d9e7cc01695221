import { randomUUID } from 'node:crypto';
import { resolveChannelInboundRouteEnvelope } from 'openclaw/plugin-sdk/channel-inbound';
import type { Account } from './host.ts';

const CHANNEL = { channel: 'bare', accountId: 'default' } as const;
const PEER = 'bench';
const TARGET = `bare:${PEER}`;

/** Runs a turn of the agent and returns the text of its reply. */
export async function dispatchText(account: Account, text: string, contextId: string): Promise<string> {
  const { cfg, channelRuntime } = account;
  const { inbound } = channelRuntime;
  const messageId = randomUUID();
  const timestamp = Date.now();
  const { route, buildEnvelope } = resolveChannelInboundRouteEnvelope({
    ...CHANNEL,
    cfg,
    defaultAgentId: 'main',
    peer: { kind: 'direct', id: `${PEER}:${contextId}` },
    parentPeer: { kind: 'direct', id: PEER },
    dmScope: 'per-account-channel-peer',
  });
  const { agentId, sessionKey } = route;
  const channelIngress = await inbound.ingress.resolveStable({
    channelId: CHANNEL.channel,
    accountId: CHANNEL.accountId,
    cfg,
    identity: { key: 'sender', entryIdPrefix: 'bare-entry' },
    subject: { stableId: PEER },
    conversation: { kind: 'direct', id: contextId },
    contextBinding: { agentId, sessionKey, messageId, inboundEventKind: 'user_request' },
    dmPolicy: 'allowlist',
    allowFrom: [PEER],
  });
  const ctxPayload = inbound.buildContext({
    ...CHANNEL,
    messageId,
    messageIdFull: messageId,
    timestamp,
    from: TARGET,
    sender: { id: PEER, name: PEER },
    conversation: { kind: 'direct', id: contextId, label: PEER },
    route: { ...route, routeSessionKey: sessionKey, dispatchSessionKey: sessionKey },
    reply: { to: TARGET, originatingTo: TARGET },
    message: {
      body: buildEnvelope({ channel: 'BARE', from: PEER, timestamp, body: text }),
      bodyForAgent: text,
      rawBody: text,
      commandBody: text,
    },
    channelIngress,
    extra: { CommandInterpretationSuppressed: true },
  });
  const said: string[] = [];
  await inbound.dispatch({
    ...CHANNEL,
    cfg,
    route,
    ctxPayload,
    delivery: {
      deliver: async (payload) => void said.push(payload.text ?? ''),
      onError: (error) => void said.push(String(error)),
    },
    replyOptions: { sourceReplyDeliveryMode: 'automatic' },
    replyPipeline: {},
  });
  return said.join('');
}
