import { resolve } from 'node:path';
import type { AccountConfig, TaskStoreConfig } from './account-config.ts';
import { accountRoutes } from './account-routes.ts';

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
  const taken = new Map<string, string>();
  return accounts.flatMap((account) =>
    accountRoutes(account).flatMap(({ path }) => {
      const owner = taken.get(path);
      taken.set(path, owner ?? account.accountId);
      if (owner === undefined) return [];
      const problem =
        owner === account.accountId
          ? `expected a path for each thing it serves, found ${path} twice; change agentCardPath or jsonRpcPath`
          : `expected paths of its own, found ${path}, which account "${owner}" serves; change agentCardPath or jsonRpcPath`;
      return [{ accountId: account.accountId, problem }];
    }),
  );
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
