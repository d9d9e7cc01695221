import type { DecodedOperation } from '@holdword/protocol/internal';
import type { RequestContext } from '../operations/request-context.ts';
import type { EventStream, Operations } from '../operations/operations.ts';
import { readExtendedCard, type ExtendedCardSource } from './extended-card.ts';

/** The result of an operation: a JSON value of A2A 1.0, or a stream of them. */
export type OperationResult = { readonly value: unknown } | { readonly stream: EventStream };

/** What requests are dispatched to: the agent's operations, and its extended card, which the server keeps. */
export interface DispatchTarget {
  readonly operations: Operations;
  readonly extendedCard?: ExtendedCardSource | undefined;
}

/** Chooses the operation that a binding has decoded, and runs it. */
export async function dispatch(
  { operations, extendedCard }: DispatchTarget,
  { operation, request }: DecodedOperation,
  context: RequestContext,
): Promise<OperationResult> {
  switch (operation) {
    case 'sendMessage':
      return { value: await operations.sendMessage(request, context) };
    case 'sendStreamingMessage':
      return { stream: await operations.sendStreamingMessage(request, context) };
    case 'getTask':
      return { value: await operations.getTask(request, context) };
    case 'listTasks':
      return { value: await operations.listTasks(request, context) };
    case 'cancelTask':
      return { value: await operations.cancelTask(request, context) };
    case 'subscribeToTask':
      return { stream: await operations.subscribeToTask(request, context) };
    case 'createTaskPushNotificationConfig':
      return { value: await operations.createTaskPushNotificationConfig(request, context) };
    case 'getTaskPushNotificationConfig':
      return { value: await operations.getTaskPushNotificationConfig(request, context) };
    case 'listTaskPushNotificationConfigs':
      return { value: await operations.listTaskPushNotificationConfigs(request, context) };
    case 'deleteTaskPushNotificationConfig':
      await operations.deleteTaskPushNotificationConfig(request, context);
      return { value: {} };
    case 'getExtendedAgentCard':
    default:
      return { value: await readExtendedCard(extendedCard, context.owner) };
  }
}
