import type { TaskPushNotificationConfig } from '@holdword/protocol';

/** The webhook for the events of a task. A `token` without `authentication` is also sent as bearer token. */
export type PushNotificationConfig = Omit<TaskPushNotificationConfig, 'taskId' | 'tenant'>;

export function withBearerToken(config: PushNotificationConfig): PushNotificationConfig {
  if (config.token === undefined || config.authentication !== undefined) return config;
  return { ...config, authentication: { scheme: 'Bearer', credentials: config.token } };
}
