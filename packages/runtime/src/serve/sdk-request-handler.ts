import {
  buildAgentCard,
  isA2AError,
  type AgentCard,
  type OperationCall,
  type OperationName,
  type StreamResponse,
} from '@holdword/protocol';
import {
  toSdkAgentCard,
  toSdkListPushNotificationConfigsResponse,
  toSdkListTasksResponse,
  toSdkMessage,
  toSdkPushNotificationConfig,
  toSdkStreamResponse,
  toSdkTask,
  type A2ARequestHandler,
  type decodeSdkRequest,
  type SdkRequests,
  type SdkStreamResponse,
  type ServerCallContext,
} from '@holdword/protocol/sdk';
import type { Call } from '../operations/call.ts';
import type { EventStream } from '../operations/operations.ts';
import type { Admission } from './admission.ts';
import { readExtendedCard } from './extended-card.ts';
import { ownerOf } from './owner-of.ts';
import type { Callable } from './perform.ts';
import { sessionOf, type SdkSession } from './sdk-session.ts';

export interface SdkRequestHandlerOptions extends Callable {
  admission: Admission;
  /** How requests are read: one of the decoders for what the SDK's transports have read. */
  decode: typeof decodeSdkRequest;
  /** Says what went wrong in the terms of the callers, where those are not the terms of 1.0. */
  explain?: (error: unknown, operation: OperationName) => unknown;
}

/**
 * The operations behind the interface that the SDK's transports call. Whoever mounts one gives it SdkSessions as users.
 */
export function createSdkRequestHandler(options: SdkRequestHandlerOptions): A2ARequestHandler {
  const { operations, extendedCard, admission, decode, explain = (error) => error } = options;

  async function answer<Name extends OperationName, Answer>(
    operation: Name,
    request: SdkRequests[Name],
    context: ServerCallContext,
    run: (request: OperationCall<Name>['request'], call: Call) => Promise<Answer>,
  ): Promise<Answer> {
    const session = sessionOf(context);
    try {
      const answered = await start(session, operation, request, run);
      session.watched.end();
      return answered;
    } catch (thrown) {
      throw failed(session, operation, thrown);
    }
  }

  function failed(session: SdkSession, operation: OperationName, thrown: unknown): unknown {
    const error = explain(thrown, operation);
    session.watched.end(error);
    session.fail(error);
    return error;
  }

  async function start<Name extends OperationName, Answer>(
    session: SdkSession,
    operation: Name,
    request: SdkRequests[Name],
    run: (request: OperationCall<Name>['request'], call: Call) => Promise<Answer>,
  ): Promise<Answer> {
    const decoded = decode(operation, request).request;
    return run(decoded, callOf(session, operation, request.tenant));
  }

  async function* stream<Name extends 'sendStreamingMessage' | 'subscribeToTask'>(
    operation: Name,
    request: SdkRequests[Name],
    context: ServerCallContext,
    run: (request: OperationCall<Name>['request'], call: Call) => Promise<EventStream>,
  ): AsyncGenerator<SdkStreamResponse, void, undefined> {
    const session = sessionOf(context);
    let releaseStream: (() => void) | undefined;
    try {
      releaseStream = admission.openStream(session.caller, (error) => session.abort(error));
      const frames = await start(session, operation, request, run);
      for await (const batch of frames) {
        for (const { json } of batch) {
          yield toSdkStreamResponse(JSON.parse(json) as StreamResponse);
          await session.hasRoom();
        }
        if (session.signal.aborted) break;
      }
      const { reason }: { reason: unknown } = session.signal;
      if (isA2AError(reason)) throw reason;
    } catch (thrown) {
      throw failed(session, operation, thrown);
    } finally {
      session.watched.end();
      releaseStream?.();
    }
  }

  return {
    getAgentCard: () => Promise.resolve(CAPABLE_OF_ALL),
    async getAuthenticatedExtendedAgentCard(params, context) {
      const card = await answer('getExtendedAgentCard', params, context, (_, call) =>
        readExtendedCard(extendedCard, call.owner),
      );
      return toSdkAgentCard(card as AgentCard);
    },
    async sendMessage(params, context) {
      const sent = await answer('sendMessage', params, context, (request, call) =>
        operations.sendMessage(request, call),
      );
      return 'task' in sent ? toSdkTask(sent.task) : toSdkMessage(sent.message);
    },
    sendMessageStream: (params, context) =>
      stream('sendStreamingMessage', params, context, (request, call) =>
        operations.sendStreamingMessage(request, call),
      ),
    resubscribe: (params, context) =>
      stream('subscribeToTask', params, context, (request, call) =>
        operations.subscribeToTask(request, call),
      ),
    getTask: async (params, context) =>
      toSdkTask(
        await answer('getTask', params, context, (request, call) => operations.getTask(request, call)),
      ),
    listTasks: async (params, context) =>
      toSdkListTasksResponse(
        await answer('listTasks', params, context, (request, call) => operations.listTasks(request, call)),
      ),
    cancelTask: async (params, context) =>
      toSdkTask(
        await answer('cancelTask', params, context, (request, call) => operations.cancelTask(request, call)),
      ),
    createTaskPushNotificationConfig: async (params, context) =>
      toSdkPushNotificationConfig(
        await answer('createTaskPushNotificationConfig', params, context, (request, call) =>
          operations.createTaskPushNotificationConfig(request, call),
        ),
      ),
    getTaskPushNotificationConfig: async (params, context) =>
      toSdkPushNotificationConfig(
        await answer('getTaskPushNotificationConfig', params, context, (request, call) =>
          operations.getTaskPushNotificationConfig(request, call),
        ),
      ),
    listTaskPushNotificationConfigs: async (params, context) =>
      toSdkListPushNotificationConfigsResponse(
        await answer('listTaskPushNotificationConfigs', params, context, (request, call) =>
          operations.listTaskPushNotificationConfigs(request, call),
        ),
      ),
    deleteTaskPushNotificationConfig: (params, context) =>
      answer('deleteTaskPushNotificationConfig', params, context, (request, call) =>
        operations.deleteTaskPushNotificationConfig(request, call),
      ),
  };
}

function callOf(session: SdkSession, operation: OperationName, tenant: string): Call {
  const owner = ownerOf(session.caller, tenant);
  const { trace: given, ...parameters } = session.parameters;
  const { watched, signal } = session;
  const { version } = watched;
  const trace = watched.begin(operation, owner.tenant, given);
  return { ...parameters, owner, ...(version && { version }), ...(trace && { trace }), signal };
}

/** The SDK's transports look here for what they may pass on; that is decided elsewhere, so they find everything. */
const CAPABLE_OF_ALL = toSdkAgentCard(
  buildAgentCard({
    name: '',
    description: '',
    endpoints: [{ binding: 'GRPC', url: 'localhost' }],
    streaming: true,
    pushNotifications: true,
    extendedAgentCard: true,
  }),
);
