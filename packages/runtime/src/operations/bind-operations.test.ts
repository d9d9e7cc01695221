import { expect, test } from 'vitest';
import { requestContext, startTestOperations } from './testing/start-test-operations.ts';

test('push configurations are rejected, as the card says', async () => {
  const { operations } = await startTestOperations(async () => {});
  const refused = { code: 'PUSH_NOTIFICATION_NOT_SUPPORTED' };
  const config = { id: 'p', taskId: 't', url: 'https://example.org/hook' };
  const context = requestContext();
  await expect(operations.createTaskPushNotificationConfig(config, context)).rejects.toMatchObject(refused);
  await expect(operations.getTaskPushNotificationConfig(config, context)).rejects.toMatchObject(refused);
  await expect(operations.listTaskPushNotificationConfigs({ taskId: 't' }, context)).rejects.toMatchObject(
    refused,
  );
  await expect(operations.deleteTaskPushNotificationConfig(config, context)).rejects.toMatchObject(refused);
});
