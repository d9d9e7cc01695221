import { A2AError } from '@holdword/protocol';
import { listKeys, revokeKey } from '@holdword/runtime';
import { listPushTargets, type PushTargetSummary, replayPushTargets } from '@holdword/runtime/internal';
import type { Store } from '@holdword/store';
import type { ApiHandlers, ApiRequest } from './api-request.ts';
import { readAudit, type AuditTail, type RecordAction } from './audit.ts';
import { pushTargetView } from './push-target-view.ts';
import type { ServerSeries } from './series.ts';

type OperationsRoute =
  'getSeries' | 'listReplicas' | 'listPushTargets' | 'replayPush' | 'listKeys' | 'revokeKey' | 'getAudit';

export interface OperationsPagesOptions {
  readonly store: Store;
  readonly processName: string;
  readonly series: ServerSeries;
  readonly audit: AuditTail | undefined;
  readonly record: RecordAction;
}

/** Targets are read this many at a time, and this many for a page at most. */
const BATCH = 200;
const MOST_READ = 2_000;

/** What operators see of a server, and do to it. Every change is written to the audit log. */
export function createOperationsPages(options: OperationsPagesOptions): Pick<ApiHandlers, OperationsRoute> {
  const { store, processName, series, audit, record } = options;
  return {
    getSeries: ({ query }) => Promise.resolve(series.read(query.window)),

    async listReplicas() {
      const now = Date.now();
      const replicas = (await store.listHolders()).map(({ holder, aliveMilliseconds }) => ({
        process: holder,
        here: holder === processName,
        alive: aliveMilliseconds > 0,
        aliveUntil: new Date(now + aliveMilliseconds).toISOString(),
      }));
      return { replicas };
    },

    listPushTargets: ({ query }) => pushTargetPage(store, query),

    async replayPush({ viewer, peer, body }) {
      const { taskId, configId, from } = body;
      const replayed = await replayPushTargets(store, {
        ...(taskId !== undefined && { taskId }),
        ...(configId !== undefined && { configId }),
        ...(from !== undefined && { from }),
      });
      record(viewer, peer, 'console-push-replayed', { task: taskId, targets: String(replayed.length) });
      return { replayed: replayed.length };
    },

    async listKeys({ viewer }) {
      const keys = (await listKeys(store)).map(
        ({ name, id, role, createdAt, expiresAt, previousValidUntil }) => ({
          name,
          id,
          role,
          createdAt,
          expiresAt: expiresAt ?? null,
          previousValidUntil: previousValidUntil ?? null,
          own: viewer.name === `key:${name}`,
        }),
      );
      return { keys };
    },

    async revokeKey({ viewer, peer, parameters }) {
      const { name = '' } = parameters;
      const isKnown = (await listKeys(store)).some((key) => key.name === name);
      if (!isKnown)
        throw new A2AError('TASK_NOT_FOUND', 'There is no API key of this name. It may have been revoked.');
      await revokeKey(store, name);
      record(viewer, peer, 'console-key-revoked', { key: name });
      return { done: true };
    },

    getAudit({ query }) {
      if (audit === undefined) {
        throw new A2AError(
          'UNSUPPORTED_OPERATION',
          'This server writes no audit log. Set auditLog to get one.',
        );
      }
      return readAudit(audit, query.limit);
    },
  };
}

async function pushTargetPage(store: Store, query: ApiRequest<'listPushTargets'>['query']) {
  const { state, limit } = query;
  const targets: PushTargetSummary[] = [];
  let after = query.cursor === undefined ? undefined : readCursor(query.cursor);
  for (let read = 0; read < MOST_READ; read += BATCH) {
    const batch = await listPushTargets(store, { ...(after && { after }), limit: BATCH });
    for (const target of batch) {
      if (targets.length === limit)
        return { targets: targets.map(pushTargetView), nextCursor: cursorOf(after) };
      after = target;
      if (state === undefined || target.state === state) targets.push(target);
    }
    if (batch.length < BATCH) return { targets: targets.map(pushTargetView), nextCursor: null };
  }
  return { targets: targets.map(pushTargetView), nextCursor: cursorOf(after) };
}

type TargetName = Pick<PushTargetSummary, 'taskId' | 'configId'>;

function cursorOf(target: TargetName | undefined): string | null {
  return target === undefined
    ? null
    : Buffer.from(JSON.stringify([target.taskId, target.configId])).toString('base64url');
}

function readCursor(cursor: string): TargetName {
  try {
    const [taskId, configId] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (typeof taskId === 'string' && typeof configId === 'string') return { taskId, configId };
  } catch {
    // It is refused below.
  }
  throw new A2AError(
    'INVALID_PARAMS',
    'The cursor does not belong to this list. Read it from its first page.',
  );
}
