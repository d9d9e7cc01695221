import type { AgentCard } from '@holdword/protocol';
import {
  createHttpHandler,
  type Authentication,
  type Log,
  type Owner,
  type Runtime,
} from '@holdword/runtime';
import type { CallerOf } from '../auth/caller.ts';
import { REQUEST_ORIGIN, type AccountConfig } from '../config/account-config.ts';
import { handlerPaths } from '../config/account-routes.ts';
import { acceptBundledCall } from './accept-bundled-calls.ts';
import { accountCard, describeToPeer } from './account-card.ts';
import { accountOperations, disabledOperations } from './account-operations.ts';
import { sendRouteNotFound, type GatewayRoutes } from './gateway-routes.ts';

export interface ServeAccountOptions {
  readonly config: AccountConfig;
  readonly runtime: Pick<Runtime, 'agent' | 'operations' | 'pushKeys'>;
  readonly authentication: Authentication;
  readonly callerOf: CallerOf;
  readonly routes: Pick<GatewayRoutes, 'answerWith'>;
  readonly log: Log;
}

/** An account that answers on its routes. */
export interface ServedAccount {
  readonly card: AgentCard;
  /** Ends open streams, whose clients come back with their cursor, and takes no more calls. */
  close(): void;
}

/** Serves an account's runtime on the routes it has on the gateway. */
export async function serveAccount(options: ServeAccountOptions): Promise<ServedAccount> {
  const { config, runtime, authentication, callerOf, routes, log } = options;
  const { publicBaseUrl, features } = config;
  const url = publicBaseUrl === undefined || publicBaseUrl === REQUEST_ORIGIN ? '' : publicBaseUrl;
  const card = await accountCard({ config, agent: runtime.agent, authentication, url });
  const stopping = new AbortController();
  const extendedCard = (owner: Owner): Promise<AgentCard> =>
    accountCard({ config, agent: describeToPeer(runtime.agent, callerOf, owner), authentication, url });
  routes.answerWith(
    createHttpHandler({
      operations: accountOperations(runtime.operations, config),
      disabledOperations: disabledOperations(config),
      card,
      ...(publicBaseUrl === REQUEST_ORIGIN && { cardFor: (origin: string) => atOrigin(card, origin) }),
      sharedCard: true,
      ...(features.extendedCard && { extendedCard }),
      ...(features.push && runtime.pushKeys && { pushKeys: runtime.pushKeys }),
      authentication,
      paths: handlerPaths(config),
      rewriteUnversioned: acceptBundledCall,
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

/** The addresses of a card that was made without knowing its own. */
function atOrigin(card: AgentCard, origin: string): AgentCard {
  return {
    ...card,
    supportedInterfaces: card.supportedInterfaces.map((each) => ({ ...each, url: `${origin}${each.url}` })),
  };
}
