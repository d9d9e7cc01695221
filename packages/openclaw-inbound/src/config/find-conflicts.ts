import { resolve } from 'node:path';
import type { AccountConfig, TaskStoreConfig } from './account-config.ts';
import { accountRoutes, type AccountRoute } from './account-routes.ts';

/** Something an account cannot use because an earlier account uses it. */
export interface Conflict {
  readonly accountId: string;
  readonly problem: string;
}

/** Two accounts cannot share a path or a task store. */
export function findConflicts(accounts: readonly AccountConfig[]): Conflict[] {
  return [...findRouteConflicts(accounts), ...findStoreConflicts(accounts)];
}

function findRouteConflicts(accounts: readonly AccountConfig[]): Conflict[] {
  const taken: { accountId: string; route: AccountRoute }[] = [];
  return accounts.flatMap((account) =>
    accountRoutes(account).flatMap((route) => {
      const other = taken.find((each) => overlap(each.route, route));
      taken.push({ accountId: account.accountId, route });
      if (other === undefined) return [];
      const problem =
        other.accountId === account.accountId
          ? `the path ${route.path} is used twice; change agentCardPath or jsonRpcPath`
          : `the path ${route.path} is already used by account "${other.accountId}"; change agentCardPath or jsonRpcPath`;
      return [{ accountId: account.accountId, problem }];
    }),
  );
}

function overlap(one: AccountRoute, other: AccountRoute): boolean {
  return one.path === other.path || isBelow(one, other) || isBelow(other, one);
}

function isBelow({ path }: AccountRoute, above: AccountRoute): boolean {
  return above.match === 'prefix' && path.startsWith(`${above.path}/`);
}

function findStoreConflicts(accounts: readonly AccountConfig[]): Conflict[] {
  const taken = new Map<string, string>();
  return accounts.flatMap(({ accountId, taskStore }) => {
    const location = storeLocation(taskStore);
    if (location === undefined) return [];
    const owner = taken.get(location);
    taken.set(location, owner ?? accountId);
    if (owner === undefined) return [];
    const problem = `the task store is already used by account "${owner}"; change taskStore`;
    return [{ accountId, problem }];
  });
}

/** Stores on disk lock their folder, whatever their format. */
function storeLocation(store: TaskStoreConfig): string | undefined {
  if (store.kind === 'memory') return undefined;
  return store.kind === 'postgres' ? `${store.url} ${store.schema ?? ''}` : resolve(store.path);
}
