import type { DeleteTaskPushNotificationConfigRequest } from '@holdword/protocol';
import type { Engine } from '../engine/engine.ts';
import type { RequestContext } from './request-context.ts';
import { requirePush } from './require-push.ts';
import { visibleTask } from './visible-task.ts';

/**
 * Ends push notifications. Deleting a configuration that does not exist is not an error: repeated requests get the same
 * response.
 */
export async function deletePushConfig(
  engine: Engine,
  { taskId, id: configId }: DeleteTaskPushNotificationConfigRequest,
  context: RequestContext,
): Promise<void> {
  const push = requirePush(engine);
  await visibleTask(engine, taskId, context);
  await push.remove({ taskId, configId });
}
