import { isForbiddenUrlError } from '@holdword/net/internal';
import {
  A2AError,
  type DeleteTaskPushNotificationConfigRequest,
  type GetTaskPushNotificationConfigRequest,
  type ListTaskPushNotificationConfigsRequest,
  type TaskPushNotificationConfig,
} from '@holdword/protocol';
import { invalidFields } from '@holdword/protocol/internal';
import type { Engine } from '../engine/engine.ts';
import { newId } from '../ids-and-times.ts';
import type { StartedTurn } from '../engine/turns.ts';
import { ownerKey } from '../owner.ts';
import type { PushOutbox } from '../push/push-outbox.ts';
import { publicConfig, type PushTarget } from '../push/push-targets.ts';
import type { RequestContext } from './operations.ts';
import { visibleTask } from './tasks.ts';

/*
 * Push notifications of a task: the operations that configure them, and what a configuration in a send becomes. Leaves
 * deliveries to the outbox in push/.
 */

/**
 * Configures push notifications of a task, for events that are committed from now on. An existing id is configured
 * anew.
 */
async function createPushConfig(
  engine: Engine,
  request: TaskPushNotificationConfig,
  context: RequestContext,
): Promise<TaskPushNotificationConfig> {
  const push = requirePush(engine);
  const header = await visibleTask(engine, request.taskId ?? '', context);
  const { taskId, lastSequence: delivered } = header;
  const target = await pushTargetOf(push, request, { taskId, delivered, path: '' }, context);
  await push.add(target);
  return publicConfig(target);
}

/** One push configuration, without its secrets. */
async function getPushConfig(
  engine: Engine,
  { taskId, id: configId }: GetTaskPushNotificationConfigRequest,
  context: RequestContext,
): Promise<TaskPushNotificationConfig> {
  const push = requirePush(engine);
  await visibleTask(engine, taskId, context);
  const stored = await push.records.find({ taskId, configId });
  if (stored !== undefined) return publicConfig(stored.target);
  throw new A2AError(
    'TASK_NOT_FOUND',
    `Task ${taskId} has no push configuration with this id. List its configurations to see the existing ones.`,
  );
}

const DEFAULT_PAGE_SIZE = 50;
const TOKEN_PREFIX = 'after:';

/**
 * A task's push configurations, sorted by id, without their secrets. A page starts after the last id of the previous
 * page.
 */
async function listPushConfigs(
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

/**
 * Ends push notifications. Deleting a configuration that does not exist is not an error: repeated requests get the same
 * response.
 */
async function deletePushConfig(
  engine: Engine,
  { taskId, id: configId }: DeleteTaskPushNotificationConfigRequest,
  context: RequestContext,
): Promise<void> {
  const push = requirePush(engine);
  await visibleTask(engine, taskId, context);
  await push.remove({ taskId, configId });
}

export const pushConfigOperations = {
  createTaskPushNotificationConfig: createPushConfig,
  getTaskPushNotificationConfig: getPushConfig,
  listTaskPushNotificationConfigs: listPushConfigs,
  deleteTaskPushNotificationConfig: deletePushConfig,
};

/**
 * The outbox.
 * @throws A2AError PUSH_NOTIFICATION_NOT_SUPPORTED if push notifications are off
 */
export function requirePush({ push }: Engine): PushOutbox {
  if (push !== undefined) return push;
  throw new A2AError(
    'PUSH_NOTIFICATION_NOT_SUPPORTED',
    'This agent does not support push notifications, as its card says. Stream the task, or poll it.',
  );
}

const LONGEST_ID = 256;
const LONGEST_SECRET = 8192;
/** The characters that are allowed in a header field (RFC 9110, 5.5 and 5.6.2). */
const FIELD_VALUE = /^[\x20-\x7e]*$/;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * The target that a configuration describes, for events of the task after sequence number `delivered`. `path` leads to
 * the configuration within the request.
 * @throws A2AError INVALID_PARAMS for values that cannot be sent in headers, and for a URL that the policy forbids
 */
export async function pushTargetOf(
  push: PushOutbox,
  config: TaskPushNotificationConfig,
  { taskId, delivered, path }: { taskId: string; delivered: number; path: string },
  context: RequestContext,
): Promise<PushTarget> {
  const version = context.version ?? '1.0';
  const { id, url, token, authentication } = config;
  requireField(`${path}id`, id === undefined || (id.length <= LONGEST_ID && id.isWellFormed()), {
    expected: `an id of at most ${LONGEST_ID} characters`,
  });
  requireField(`${path}token`, isFieldValue(token), { expected: 'visible ASCII characters' });
  requireField(
    `${path}authentication.scheme`,
    authentication === undefined || TOKEN.test(authentication.scheme),
    {
      expected: 'the name of an HTTP authentication scheme, for example Bearer',
    },
  );
  requireField(`${path}authentication.credentials`, isFieldValue(authentication?.credentials), {
    expected: 'visible ASCII characters',
  });
  await requireCallable(push, `${path}url`, url);
  return {
    taskId,
    // A 0.3 client may request its configuration by the task's id only.
    configId: id ?? (version === '0.3' ? taskId : newId()),
    owner: ownerKey(context.owner),
    ...(context.owner.identity !== undefined && { identity: context.owner.identity }),
    url,
    ...(token !== undefined && { token }),
    ...(authentication && {
      authentication: {
        scheme: authentication.scheme,
        ...(authentication.credentials !== undefined && { credentials: authentication.credentials }),
      },
    }),
    version,
    ...(context.trace && { trace: context.trace }),
    createdAt: Date.now(),
    delivered,
  };
}

function isFieldValue(text: string | undefined): boolean {
  return text === undefined || (text.length <= LONGEST_SECRET && FIELD_VALUE.test(text));
}

/** The value is not repeated in the error, because it may be a secret. */
function requireField(field: string, isRight: boolean, { expected }: { expected: string }): void {
  if (!isRight) throw invalidFields([{ field, description: `expected ${expected}, found something else` }]);
}

async function requireCallable(push: PushOutbox, field: string, url: string): Promise<void> {
  try {
    await push.checkUrl(url);
  } catch (error) {
    if (!isForbiddenUrlError(error)) throw error;
    throw invalidFields([
      {
        field,
        description: `expected a URL that this agent is allowed to call: ${error.message}`,
      },
    ]);
  }
}

/**
 * Starts a turn whose events go to a push target. The target is committed first: whenever the process dies, there is no
 * task whose sender expects notifications and gets none (J11). The target is removed again if no task comes of it.
 */
export async function beginWithTarget(
  push: PushOutbox,
  target: PushTarget,
  begin: () => Promise<StartedTurn>,
): Promise<StartedTurn> {
  const known = await push.records.find(target);
  const rollBack = async (): Promise<void> => {
    if (known === undefined) await push.remove(target);
  };
  await push.add(target);
  try {
    return await begin();
  } catch (error) {
    await rollBack();
    throw error;
  }
}
