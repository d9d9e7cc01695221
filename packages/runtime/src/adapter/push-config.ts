import type { TaskPushNotificationConfig } from '@holdword/protocol';

/** Where a task's events are sent. A token alone is sent as the bearer token, too. */
export type PushNotificationConfig = Omit<TaskPushNotificationConfig, 'taskId' | 'tenant'>;

export function withBearerToken(config: PushNotificationConfig): PushNotificationConfig {
  if (config.token === undefined || config.authentication !== undefined) return config;
  return { ...config, authentication: { scheme: 'Bearer', credentials: config.token } };
}
