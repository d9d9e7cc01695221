export {
  DefaultExecutionEventBus,
  RequestContext,
  ServerCallContext,
  type A2ARequestHandler,
  type AgentExecutionEvent,
  type AgentExecutor,
  type ExecutionEventBus,
  type ServerCallContextBuilder,
  type TaskStore as SdkTaskStore,
  type User,
} from '@a2a-js/sdk/server';
export type {
  AgentCard as SdkAgentCard,
  ListTaskPushNotificationConfigsResponse as SdkListPushNotificationConfigsResponse,
  ListTasksRequest as SdkListTasksRequest,
  ListTasksResponse as SdkListTasksResponse,
  Message as SdkMessage,
  StreamResponse as SdkStreamResponse,
  Task as SdkTask,
  TaskPushNotificationConfig as SdkPushNotificationConfig,
} from '@a2a-js/sdk';
export {
  decodeLegacyGrpcRequest,
  decodeSdkRequest,
  fromSdkStreamResponse,
  fromSdkTask,
  type SdkRequests,
} from './from-sdk.ts';
export {
  toSdkAgentCard,
  toSdkListPushNotificationConfigsResponse,
  toSdkListTasksResponse,
  toSdkMessage,
  toSdkPushNotificationConfig,
  toSdkSendMessageRequest,
  toSdkStreamResponse,
  toSdkTask,
} from './to-sdk.ts';
