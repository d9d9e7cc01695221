import { asObject } from '@holdword/protocol/internal';
import type { resolveChannelInboundRouteEnvelope } from '../api.ts';
import { CHANNEL_ID } from '../plugin-names.ts';
import type { HostTurn } from './host.ts';

export type ResolveRoute = typeof resolveChannelInboundRouteEnvelope;
type RouteRequest = Parameters<ResolveRoute>[0];
type Config = RouteRequest['cfg'];
type RoutedTurn = Pick<HostTurn, 'agent' | 'session' | 'contextId'>;

export interface RouteOptions {
  readonly accountId: string;
  readonly config: Config;
  /** The configuration with only the bindings that name the account. */
  readonly accountConfig: Config;
  readonly resolveRoute: ResolveRoute;
}

/**
 * Selects the agent and the session of a turn. Session keys contain hashes, which bindings for a peer's name do not match, so
 * if bindings select the agent, it is looked up by the plain name first.
 */
export function chooseRoute(options: RouteOptions, turn: RoutedTurn): ReturnType<ResolveRoute> {
  const { config, accountConfig, resolveRoute } = options;
  const { agent, session } = turn;
  const ours = requestFor(options, session.senderId, session.conversationId);
  if (agent.kind === 'account') {
    return resolveRoute({ ...ours, cfg: accountConfig, defaultAgentId: agent.agentId });
  }
  const defaultAgentId = agent.kind === 'fixed' ? agent.agentId : agentByName(options, agent, turn.contextId);
  if (defaultAgentId === undefined) return resolveRoute({ ...ours, cfg: config });
  return resolveRoute({ ...ours, cfg: { ...config, bindings: [] }, defaultAgentId });
}

function agentByName(
  options: RouteOptions,
  { peerName }: Extract<RoutedTurn['agent'], { kind: 'bound' }>,
  contextId: string,
): string | undefined {
  if (peerName === undefined) return undefined;
  const request = requestFor(options, peerName, contextId);
  return options.resolveRoute({ ...request, cfg: options.config }).route.agentId;
}

/**
 * The configuration with only the bindings that name the account. A binding for all accounts does not override the agent of an
 * account: OpenClaw itself adds such a binding when agents become explicit.
 */
export function withBindingsOf(accountId: string, config: Config): Config {
  const named = config.bindings?.filter((binding) => accountIn(binding) === accountId.toLowerCase());
  return { ...config, bindings: named ?? [] };
}

function accountIn(binding: unknown): string | undefined {
  const { accountId } = asObject(asObject(binding)['match']);
  return typeof accountId === 'string' ? accountId.trim().toLowerCase() : undefined;
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
