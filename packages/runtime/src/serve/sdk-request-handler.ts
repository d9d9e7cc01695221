import { isA2AError, type AgentCard, type OperationName, type StreamResponse } from '@holdword/protocol';
import { buildAgentCard, type DecodedOperation } from '@holdword/protocol/internal';
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
} from '@holdword/protocol/internal/sdk';
import type { RequestContext } from '../operations/request-context.ts';
import type { EventStream } from '../operations/operations.ts';
import type { Admission } from './admission.ts';
import { readExtendedCard } from './extended-card.ts';
import { ownerOf } from './owner-of.ts';
import type { DispatchTarget } from './dispatch.ts';
import { sessionOf, type SdkSession } from './sdk-session.ts';

export interface SdkRequestHandlerOptions extends DispatchTarget {
  admission: Admission;
  /** How requests are decoded: one of the decoders for what the SDK's transports have read. */
  decode: typeof decodeSdkRequest;
  /** Rewords errors for callers of another version than 1.0. */
  explain?: (error: unknown, operation: OperationName) => unknown;
}

/**
 * The operations behind the interface that the SDK's transports call. The transport has to provide SdkSessions as
 * users.
 */
export function createSdkRequestHandler(options: SdkRequestHandlerOptions): A2ARequestHandler {
  const { operations, extendedCard, admission, decode, explain = (error) => error } = options;

  async function dispatchUnary<Name extends OperationName, Result>(
    operation: Name,
    request: SdkRequests[Name],
    sdkContext: ServerCallContext,
    run: (request: DecodedOperation<Name>['request'], context: RequestContext) => Promise<Result>,
  ): Promise<Result> {
    const session = sessionOf(sdkContext);
    try {
      const result = await start(session, operation, request, run);
      session.observation.end();
      return result;
    } catch (thrown) {
      throw failed(session, operation, thrown);
    }
  }

  function failed(session: SdkSession, operation: OperationName, thrown: unknown): unknown {
    const error = explain(thrown, operation);
    session.observation.end(error);
    session.fail(error);
    return error;
  }

  async function start<Name extends OperationName, Result>(
    session: SdkSession,
    operation: Name,
    request: SdkRequests[Name],
    run: (request: DecodedOperation<Name>['request'], context: RequestContext) => Promise<Result>,
  ): Promise<Result> {
    const decoded = decode(operation, request).request;
    return run(decoded, requestContextOf(session, operation, request.tenant));
  }

  async function* dispatchStream<Name extends 'sendStreamingMessage' | 'subscribeToTask'>(
    operation: Name,
    request: SdkRequests[Name],
    sdkContext: ServerCallContext,
    run: (request: DecodedOperation<Name>['request'], context: RequestContext) => Promise<EventStream>,
  ): AsyncGenerator<SdkStreamResponse, void, undefined> {
    const session = sessionOf(sdkContext);
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
      session.observation.end();
      releaseStream?.();
    }
  }

  return {
    getAgentCard: () => Promise.resolve(CAPABLE_OF_ALL),
    async getAuthenticatedExtendedAgentCard(params, sdkContext) {
      const card = await dispatchUnary('getExtendedAgentCard', params, sdkContext, (_, context) =>
        readExtendedCard(extendedCard, context.owner),
      );
      return toSdkAgentCard(card as AgentCard);
    },
    async sendMessage(params, sdkContext) {
      const sent = await dispatchUnary('sendMessage', params, sdkContext, (request, context) =>
        operations.sendMessage(request, context),
      );
      return 'task' in sent ? toSdkTask(sent.task) : toSdkMessage(sent.message);
    },
    sendMessageStream: (params, sdkContext) =>
      dispatchStream('sendStreamingMessage', params, sdkContext, (request, context) =>
        operations.sendStreamingMessage(request, context),
      ),
    resubscribe: (params, sdkContext) =>
      dispatchStream('subscribeToTask', params, sdkContext, (request, context) =>
        operations.subscribeToTask(request, context),
      ),
    getTask: async (params, sdkContext) =>
      toSdkTask(
        await dispatchUnary('getTask', params, sdkContext, (request, context) =>
          operations.getTask(request, context),
        ),
      ),
    listTasks: async (params, sdkContext) =>
      toSdkListTasksResponse(
        await dispatchUnary('listTasks', params, sdkContext, (request, context) =>
          operations.listTasks(request, context),
        ),
      ),
    cancelTask: async (params, sdkContext) =>
      toSdkTask(
        await dispatchUnary('cancelTask', params, sdkContext, (request, context) =>
          operations.cancelTask(request, context),
        ),
      ),
    createTaskPushNotificationConfig: async (params, sdkContext) =>
      toSdkPushNotificationConfig(
        await dispatchUnary('createTaskPushNotificationConfig', params, sdkContext, (request, context) =>
          operations.createTaskPushNotificationConfig(request, context),
        ),
      ),
    getTaskPushNotificationConfig: async (params, sdkContext) =>
      toSdkPushNotificationConfig(
        await dispatchUnary('getTaskPushNotificationConfig', params, sdkContext, (request, context) =>
          operations.getTaskPushNotificationConfig(request, context),
        ),
      ),
    listTaskPushNotificationConfigs: async (params, sdkContext) =>
      toSdkListPushNotificationConfigsResponse(
        await dispatchUnary('listTaskPushNotificationConfigs', params, sdkContext, (request, context) =>
          operations.listTaskPushNotificationConfigs(request, context),
        ),
      ),
    deleteTaskPushNotificationConfig: (params, sdkContext) =>
      dispatchUnary('deleteTaskPushNotificationConfig', params, sdkContext, (request, context) =>
        operations.deleteTaskPushNotificationConfig(request, context),
      ),
  };
}

function requestContextOf(session: SdkSession, operation: OperationName, tenant: string): RequestContext {
  const owner = ownerOf(session.caller, tenant);
  const { trace: given, ...parameters } = session.parameters;
  const { observation, signal } = session;
  const { version } = observation;
  const trace = observation.begin(operation, owner.tenant, given);
  return { ...parameters, owner, ...(version && { version }), ...(trace && { trace }), signal };
}

/** The SDK's transports check here what they may pass on. That is decided elsewhere, so this card allows everything. */
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
