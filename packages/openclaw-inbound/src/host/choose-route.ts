import type { resolveChannelInboundRouteEnvelope } from '../api.ts';
import { CHANNEL_ID } from '../plugin-names.ts';
import type { HostTurn } from './host.ts';

export type ResolveRoute = typeof resolveChannelInboundRouteEnvelope;
type RouteRequest = Parameters<ResolveRoute>[0];
type RoutedTurn = Pick<HostTurn, 'agent' | 'session' | 'contextId'>;

export interface RouteOptions {
  readonly accountId: string;
  readonly config: RouteRequest['cfg'];
  readonly resolveRoute: ResolveRoute;
}

/**
 * Selects the agent and the session of a turn. Session keys contain hashes, which bindings for a peer's name do not match, so
 * if bindings select the agent, it is looked up by the plain name first.
 */
export function chooseRoute(options: RouteOptions, turn: RoutedTurn): ReturnType<ResolveRoute> {
  const { config, resolveRoute } = options;
  const { senderId, conversationId } = turn.session;
  const ours = requestFor(options, senderId, conversationId);
  if (turn.agent.kind === 'default') {
    return resolveRoute({ ...ours, cfg: config, defaultAgentId: turn.agent.agentId });
  }
  const defaultAgentId = agentOf(options, turn);
  return resolveRoute({ ...ours, cfg: { ...config, bindings: [] }, defaultAgentId });
}

function agentOf(options: RouteOptions, { agent, contextId }: RoutedTurn): string {
  if (agent.kind !== 'bound') return agent.agentId;
  const request = requestFor(options, agent.peerName, contextId);
  return options.resolveRoute({ ...request, cfg: options.config }).route.agentId;
}

function requestFor(
  { accountId }: RouteOptions,
  sender: string,
  conversation: string,
): Omit<RouteRequest, 'cfg' | 'defaultAgentId'> {
  return {
    channel: CHANNEL_ID,
    accountId,
    peer: { kind: 'direct', id: `${sender}:${conversation}` },
    parentPeer: { kind: 'direct', id: sender },
    // A wider scope would put a caller into the session of the gateway's owner.
    dmScope: 'per-account-channel-peer',
  };
}
