import {
  AgentCard,
  CancelTaskRequest,
  GetExtendedAgentCardRequest,
  GetTaskRequest,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageResponse,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  type SendMessageRequest as SdkSendMessageRequest,
} from '@a2a-js/sdk';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import type { SendMessageRequest as CoreSendMessageRequest } from '../../model/requests.ts';
import { toSdkSendMessageRequest } from '../to-sdk.ts';
import { procedure, type GrpcProcedure, type GrpcProcedures, type SdkMethod } from './grpc-procedure.ts';

interface Reads<Value> {
  fromJSON(json: unknown): Value;
}

interface Writes<Value> {
  toJSON(value: Value): unknown;
}

function coded<Request, Response>(
  method: SdkMethod<Request, Response>,
  request: Reads<Request>,
  response: Writes<Response>,
): GrpcProcedure<unknown> {
  return procedure(
    method,
    (json) => request.fromJSON(json),
    (value) => response.toJSON(value),
  );
}

const SendMessageRequest: Reads<SdkSendMessageRequest> = {
  fromJSON: (json) => toSdkSendMessageRequest(json as CoreSendMessageRequest),
};

/** The procedures of A2A 1.0. */
export const PROCEDURES: Required<GrpcProcedures> = {
  sendMessage: coded(A2AService.sendMessage, SendMessageRequest, SendMessageResponse),
  sendStreamingMessage: coded(A2AService.sendStreamingMessage, SendMessageRequest, StreamResponse),
  getTask: coded(A2AService.getTask, GetTaskRequest, Task),
  listTasks: coded(A2AService.listTasks, ListTasksRequest, ListTasksResponse),
  cancelTask: coded(A2AService.cancelTask, CancelTaskRequest, Task),
  subscribeToTask: coded(A2AService.subscribeToTask, SubscribeToTaskRequest, StreamResponse),
  getExtendedAgentCard: coded(A2AService.getExtendedAgentCard, GetExtendedAgentCardRequest, AgentCard),
};
