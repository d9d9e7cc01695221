import { resolve } from 'node:path';
import type { AccountConfig, TaskStoreConfig } from './account-config.ts';
import { accountRoutes, type AccountRoute } from './account-routes.ts';

/** What an account may not have because an account before it has it. */
export interface Conflict {
  readonly accountId: string;
  readonly problem: string;
}

/** Two accounts cannot answer at one path, nor keep their tasks in one place. */
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
          ? `expected a path for each thing it serves, found ${route.path} twice; change agentCardPath or jsonRpcPath`
          : `expected paths of its own, found ${route.path}, which account "${other.accountId}" serves; change agentCardPath or jsonRpcPath`;
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
    const place = placeOf(taskStore);
    if (place === undefined) return [];
    const owner = taken.get(place);
    taken.set(place, owner ?? accountId);
    if (owner === undefined) return [];
    const problem = `expected a task store of its own, found that of account "${owner}"; change taskStore`;
    return [{ accountId, problem }];
  });
}

/** Stores on disk lock their folder, whatever they keep in it. */
function placeOf(store: TaskStoreConfig): string | undefined {
  if (store.kind === 'memory') return undefined;
  return store.kind === 'postgres' ? `${store.url} ${store.schema ?? ''}` : resolve(store.path);
}
