import type { AgentCard, AgentSkill } from '@holdword/protocol';
import {
  type AgentDescription,
  type Authentication,
  buildServedCard,
  createHttpHandler,
  type Log,
  type Owner,
  type Runtime,
} from '@holdword/runtime';
import type { CallerOf } from '../auth/caller.ts';
import { type AccountConfig, REQUEST_ORIGIN } from '../config/account-config.ts';
import { handlerPaths } from '../config/account-routes.ts';
import { accountOperations, disabledOperations } from './account-operations.ts';
import { type GatewayRoutes, sendRouteNotFound } from './gateway-routes.ts';
import { rewriteBundledRequest } from './rewrite-bundled-request.ts';

export interface ServeAccountOptions {
  readonly config: AccountConfig;
  readonly runtime: Pick<Runtime, 'agent' | 'operations' | 'pushKeys'>;
  readonly authentication: Authentication;
  readonly callerOf: CallerOf;
  readonly routes: Pick<GatewayRoutes, 'answerWith'>;
  readonly log: Log;
}

/** An account that serves requests. */
export interface ServedAccount {
  readonly card: AgentCard;
  /** Closes open streams, whose clients resume with their cursor, and rejects further requests. */
  close(): void;
}

/** Serves an account's runtime on its gateway routes. */
export async function serveAccount(options: ServeAccountOptions): Promise<ServedAccount> {
  const { config, runtime, authentication, callerOf, routes, log } = options;
  const { publicBaseUrl, features } = config;
  const url = publicBaseUrl === undefined || publicBaseUrl === REQUEST_ORIGIN ? '' : publicBaseUrl;
  const cardOf = (agent: AgentDescription): Promise<AgentCard> =>
    buildServedCard({
      agent,
      url,
      authentication,
      paths: handlerPaths(config),
      hasExtendedCard: features.extendedCard,
      pushNotifications: features.push,
    });
  const card = await cardOf(runtime.agent);
  const extendedCard = (owner: Owner): Promise<AgentCard> =>
    cardOf(describeToPeer(runtime.agent, callerOf, owner));
  const stopping = new AbortController();
  routes.answerWith(
    createHttpHandler({
      operations: accountOperations(runtime.operations, config),
      disabledOperations: disabledOperations(config),
      card,
      ...(publicBaseUrl === REQUEST_ORIGIN && { cardFor: (origin: string) => atOrigin(card, origin) }),
      ...(features.extendedCard && { extendedCard }),
      ...(features.push && runtime.pushKeys && { pushKeys: runtime.pushKeys }),
      authentication,
      paths: handlerPaths(config),
      rewriteUnversioned: rewriteBundledRequest,
      limits: { bodyBytes: config.maxBodyBytes },
      fallback: (_path, _query, _request, response) => {
        sendRouteNotFound(response, config.agentCardPath);
        return true;
      },
      log,
      signal: stopping.signal,
    }),
  );
  return {
    card,
    close: () => {
      routes.answerWith(undefined);
      stopping.abort();
    },
  };
}

/** Completes the relative URLs of a card with an origin. */
function atOrigin(card: AgentCard, origin: string): AgentCard {
  return {
    ...card,
    supportedInterfaces: card.supportedInterfaces.map((each) => ({ ...each, url: `${origin}${each.url}` })),
  };
}

/** The extended card of a peer: the public card plus the tools available to the peer. */
function describeToPeer(agent: AgentDescription, callerOf: CallerOf, owner: Owner): AgentDescription {
  const { tools } = callerOf(owner);
  const names = typeof tools === 'string' ? [] : tools;
  return { ...agent, skills: [...(agent.skills ?? []), ...names.map(toolSkill)] };
}

function toolSkill(name: string): AgentSkill {
  return {
    id: `tool:${name}`,
    name,
    description: `The agent may use its tool ${name} for you.`,
    tags: ['tool'],
  };
}
