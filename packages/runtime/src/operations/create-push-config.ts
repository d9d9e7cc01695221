import { A2AError, type TaskPushNotificationConfig } from '@holdword/protocol';
import type { Engine } from '../engine/engine.ts';
import { publicConfig } from '../push/push-targets.ts';
import type { RequestContext } from './request-context.ts';
import { pushTargetOf } from './push-target-of.ts';
import { requirePush } from './require-push.ts';
import { visibleTask } from './visible-task.ts';

const MOST_PER_TASK = 100;

/**
 * Configures push notifications of a task, for events that are committed from now on. An existing id is configured
 * anew.
 */
export async function createPushConfig(
  engine: Engine,
  request: TaskPushNotificationConfig,
  context: RequestContext,
): Promise<TaskPushNotificationConfig> {
  const push = requirePush(engine);
  const header = await visibleTask(engine, request.taskId ?? '', context);
  const { taskId, lastSequence: delivered } = header;
  const target = await pushTargetOf(push, request, { taskId, delivered, path: '' }, context);
  const others = (await push.records.list(taskId)).filter(
    (stored) => stored.target.configId !== target.configId,
  );
  if (others.length >= MOST_PER_TASK) {
    throw new A2AError(
      'RESOURCE_EXHAUSTED',
      `A task can have at most ${MOST_PER_TASK} push configurations. Delete one that is no longer needed.`,
    );
  }
  await push.add(target);
  return publicConfig(target);
}
