import { expect, test } from 'vitest';
import { callOf, startTestOperations } from './testing/start-test-operations.ts';

test('push configurations are refused, as the card says', async () => {
  const { operations } = await startTestOperations(async () => {});
  const refused = { code: 'PUSH_NOTIFICATION_NOT_SUPPORTED' };
  const config = { id: 'p', taskId: 't', url: 'https://example.org/hook' };
  const call = callOf();
  await expect(operations.createTaskPushNotificationConfig(config, call)).rejects.toMatchObject(refused);
  await expect(operations.getTaskPushNotificationConfig(config, call)).rejects.toMatchObject(refused);
  await expect(operations.listTaskPushNotificationConfigs({ taskId: 't' }, call)).rejects.toMatchObject(
    refused,
  );
  await expect(operations.deleteTaskPushNotificationConfig(config, call)).rejects.toMatchObject(refused);
});
