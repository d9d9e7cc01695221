import type { ListTaskPushNotificationConfigsRequest, TaskPushNotificationConfig } from '@holdword/protocol';
import { invalidFields } from '@holdword/protocol/internal';
import type { Engine } from '../engine/engine.ts';
import { publicConfig } from '../push/push-targets.ts';
import type { RequestContext } from './request-context.ts';
import { requirePush } from './require-push.ts';
import { visibleTask } from './visible-task.ts';

const DEFAULT_PAGE_SIZE = 50;
const TOKEN_PREFIX = 'after:';

/**
 * A task's push configurations, sorted by id, without their secrets. A page starts after the last id of the previous
 * page.
 */
export async function listPushConfigs(
  engine: Engine,
  request: ListTaskPushNotificationConfigsRequest,
  context: RequestContext,
): Promise<{ configs: TaskPushNotificationConfig[]; nextPageToken: string }> {
  const push = requirePush(engine);
  await visibleTask(engine, request.taskId, context);
  const { pageSize = DEFAULT_PAGE_SIZE, pageToken } = request;
  const after = pageToken === undefined ? undefined : readToken(pageToken);
  const targets = (await push.records.list(request.taskId))
    .map(({ target }) => target)
    .toSorted((left, right) => (left.configId < right.configId ? -1 : 1))
    .filter(({ configId }) => after === undefined || configId > after);
  const page = targets.slice(0, pageSize);
  const last = page.at(-1);
  return {
    configs: page.map(publicConfig),
    nextPageToken: last !== undefined && targets.length > pageSize ? writeToken(last.configId) : '',
  };
}

function writeToken(configId: string): string {
  return Buffer.from(`${TOKEN_PREFIX}${configId}`).toString('base64url');
}

function readToken(token: string): string {
  const text = Buffer.from(token, 'base64url').toString();
  if (text.startsWith(TOKEN_PREFIX)) return text.slice(TOKEN_PREFIX.length);
  throw invalidFields([
    {
      field: 'pageToken',
      description: 'expected a nextPageToken of an earlier response, found something else',
    },
  ]);
}
