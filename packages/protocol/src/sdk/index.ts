export {
  DefaultExecutionEventBus,
  RequestContext,
  ServerCallContext,
  type A2ARequestHandler,
  type AgentExecutionEvent,
  type AgentExecutor,
  type ServerCallContextBuilder,
  type TaskStore as SdkTaskStore,
  type User,
} from '@a2a-js/sdk/server';
export type {
  ListTasksRequest as SdkListTasksRequest,
  ListTasksResponse as SdkListTasksResponse,
  StreamResponse as SdkStreamResponse,
  Task as SdkTask,
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
