import {
  A2AError,
  type GetTaskPushNotificationConfigRequest,
  type TaskPushNotificationConfig,
} from '@holdword/protocol';
import type { Engine } from '../engine/engine.ts';
import { publicConfig } from '../push/push-targets.ts';
import type { RequestContext } from './request-context.ts';
import { requirePush } from './require-push.ts';
import { visibleTask } from './visible-task.ts';

/** One push configuration, without its secrets. */
export async function getPushConfig(
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
