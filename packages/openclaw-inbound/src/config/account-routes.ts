import type { AccountConfig } from './account-config.ts';

/** One route of an account on the gateway. */
export interface AccountRoute {
  readonly path: string;
  readonly match: 'exact' | 'prefix';
}

/** Where clients of OpenClaw's own channel may look for the card, too. */
export const BUNDLED_CARD_PATH = '/.well-known/agent.json';

/** Where the keys are that verify notifications: beside the card, so that every account has its own. */
export function pushKeysPath({ agentCardPath }: Pick<AccountConfig, 'agentCardPath'>): string {
  return agentCardPath.replace(/[^/]+$/, 'jwks.json');
}

/** All routes that an account takes. */
export function accountRoutes(config: AccountConfig): AccountRoute[] {
  const { agentCardPath, jsonRpcPath, restPath, features, bundled } = config;
  return [
    { path: agentCardPath, match: 'exact' },
    ...(bundled ? [{ path: BUNDLED_CARD_PATH, match: 'exact' as const }] : []),
    { path: jsonRpcPath, match: 'exact' },
    ...(features.rest ? [{ path: restPath, match: 'prefix' as const }] : []),
    ...(features.push ? [{ path: pushKeysPath(config), match: 'exact' as const }] : []),
  ];
}
