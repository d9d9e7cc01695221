import type { toInboundMediaFacts } from '../api.ts';
import { CHANNEL_ID } from '../plugin-names.ts';
import type { InboundMessage, Ingress, ResolvedRoute } from './channel-runtime.ts';
import type { HostTurn } from './host-turn.ts';

/** Converts a turn's message to the gateway's channel message. */
export function inboundMessage(
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
