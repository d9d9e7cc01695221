import { z } from 'zod';
import { jsonObjectSchema } from './json.ts';
import { listOf } from './list-of.ts';
import { messageSchema } from './message.ts';
import type { Task } from './task.ts';
import { taskStateSchema } from './task-state.ts';
import { withoutEmpty } from './without-empty.ts';

const tenant = z.string().optional();
const historyLength = z.int32().min(0).optional();
const taskId = z.string().min(1);

export const authenticationInfoSchema = z.object({
  scheme: z.string().min(1),
  credentials: z.string().optional(),
});

export const taskPushNotificationConfigSchema = z
  .object({
    tenant,
    id: z.string().optional(),
    taskId: z.string().optional(),
    url: z.string().min(1),
    token: z.string().optional(),
    authentication: authenticationInfoSchema.optional(),
  })
  .overwrite(withoutEmpty('tenant', 'id', 'taskId', 'token'));
/** Where and how an agent sends push notifications for a task. */
export type TaskPushNotificationConfig = z.infer<typeof taskPushNotificationConfigSchema>;

/** A push notification configuration with its task. */
export const createTaskPushNotificationConfigRequestSchema = taskPushNotificationConfigSchema.safeExtend({
  taskId,
});

export const sendMessageConfigurationSchema = z.object({
  acceptedOutputModes: listOf(z.string()).optional(),
  taskPushNotificationConfig: taskPushNotificationConfigSchema.optional(),
  historyLength,
  returnImmediately: z.boolean().optional(),
});
/** How a message is processed and answered. */
export type SendMessageConfiguration = z.infer<typeof sendMessageConfigurationSchema>;

export const sendMessageRequestSchema = z.object({
  tenant,
  message: messageSchema,
  configuration: sendMessageConfigurationSchema.optional(),
  metadata: jsonObjectSchema.optional(),
});
/** The request of SendMessage and SendStreamingMessage. */
export type SendMessageRequest = z.infer<typeof sendMessageRequestSchema>;

export const getTaskRequestSchema = z.object({ tenant, id: taskId, historyLength });
/** The request of GetTask. */
export type GetTaskRequest = z.infer<typeof getTaskRequestSchema>;

export const listTasksRequestSchema = z
  .object({
    tenant,
    contextId: z.string().optional(),
    status: taskStateSchema.optional(),
    pageSize: z.int32().min(1).max(100).optional(),
    pageToken: z.string().optional(),
    historyLength,
    /** Only tasks whose status changed then or later. */
    statusTimestampAfter: z.iso.datetime({ offset: true }).optional(),
    includeArtifacts: z.boolean().optional(),
  })
  .overwrite(withoutEmpty('contextId', 'pageToken'));
/** The request of ListTasks. */
export type ListTasksRequest = z.infer<typeof listTasksRequestSchema>;

/** A page of tasks, the most recent status first. */
export interface ListTasksResponse {
  tasks: Task[];
  nextPageToken: string;
  pageSize: number;
  totalSize: number;
}

export const cancelTaskRequestSchema = z.object({
  tenant,
  id: taskId,
  metadata: jsonObjectSchema.optional(),
});
/** The request of CancelTask. */
export type CancelTaskRequest = z.infer<typeof cancelTaskRequestSchema>;

export const subscribeToTaskRequestSchema = z.object({ tenant, id: taskId });
/** The request of SubscribeToTask. */
export type SubscribeToTaskRequest = z.infer<typeof subscribeToTaskRequestSchema>;

export const getTaskPushNotificationConfigRequestSchema = z.object({ tenant, taskId, id: z.string().min(1) });
/** The request of GetTaskPushNotificationConfig. */
export type GetTaskPushNotificationConfigRequest = z.infer<typeof getTaskPushNotificationConfigRequestSchema>;

export const listTaskPushNotificationConfigsRequestSchema = z
  .object({
    tenant,
    taskId,
    pageSize: z.int32().min(1).max(100).optional(),
    pageToken: z.string().optional(),
  })
  .overwrite(withoutEmpty('pageToken'));
/** The request of ListTaskPushNotificationConfigs. */
export type ListTaskPushNotificationConfigsRequest = z.infer<
  typeof listTaskPushNotificationConfigsRequestSchema
>;

export const deleteTaskPushNotificationConfigRequestSchema = getTaskPushNotificationConfigRequestSchema;
/** The request of DeleteTaskPushNotificationConfig. */
export type DeleteTaskPushNotificationConfigRequest = GetTaskPushNotificationConfigRequest;

export const getExtendedAgentCardRequestSchema = z.object({ tenant });
/** The request of GetExtendedAgentCard. */
export type GetExtendedAgentCardRequest = z.infer<typeof getExtendedAgentCardRequestSchema>;
