import type { HandlerPaths } from '@holdword/runtime';
import type { AccountConfig } from './account-config.ts';

/** One route of an account on the gateway. */
export interface AccountRoute {
  readonly path: string;
  readonly match: 'exact' | 'prefix';
}

/** The paths of an account. A disabled feature has no path. */
export function handlerPaths(config: AccountConfig): HandlerPaths {
  const { agentCardPath, legacyCardPath, jsonRpcPath, unversionedJsonRpcPath, restPath, features } = config;
  return {
    card: agentCardPath,
    ...(legacyCardPath !== undefined && { legacyCard: legacyCardPath }),
    jsonRpc: jsonRpcPath,
    ...(unversionedJsonRpcPath !== undefined && { unversionedJsonRpc: unversionedJsonRpcPath }),
    ...(features.rest && { rest: restPath }),
    // Next to the card, so that every account has its own.
    ...(features.push && { pushKeys: agentCardPath.replace(/[^/]+$/, 'jwks.json') }),
  };
}

/** All routes of an account. */
export function accountRoutes(config: AccountConfig): AccountRoute[] {
  const { rest, ...exact } = handlerPaths(config);
  return [
    ...Object.values(exact).map((path: string): AccountRoute => ({ path, match: 'exact' })),
    ...(rest === undefined ? [] : [{ path: rest, match: 'prefix' as const }]),
  ];
}
