export {
  DefaultExecutionEventBus,
  RequestContext,
  ServerCallContext,
  type AgentExecutionEvent,
  type AgentExecutor,
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
  decodeSdkRequest,
  fromSdkStreamResponse,
  fromSdkTask,
  toSdkListTasksResponse,
  toSdkSendMessageRequest,
  toSdkTask,
} from './conversions.ts';
