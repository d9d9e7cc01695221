import type { OperationCall } from '@holdword/protocol';
import type { Call } from '../operations/call.ts';
import type { EventStream, Operations } from '../operations/operations.ts';
import { readExtendedCard, type ExtendedCardSource } from './extended-card.ts';

/** The answer to a call: a JSON value of A2A 1.0, or a stream of them. */
export type Answer = { readonly value: unknown } | { readonly stream: EventStream };

/** What can be called: the agent's operations, and the card that the server keeps for it. */
export interface Callable {
  readonly operations: Operations;
  readonly extendedCard?: ExtendedCardSource | undefined;
}

/** Makes a call that a binding has decoded. */
export async function perform(
  { operations, extendedCard }: Callable,
  { operation, request }: OperationCall,
  call: Call,
): Promise<Answer> {
  switch (operation) {
    case 'sendMessage':
      return { value: await operations.sendMessage(request, call) };
    case 'sendStreamingMessage':
      return { stream: await operations.sendStreamingMessage(request, call) };
    case 'getTask':
      return { value: await operations.getTask(request, call) };
    case 'listTasks':
      return { value: await operations.listTasks(request, call) };
    case 'cancelTask':
      return { value: await operations.cancelTask(request, call) };
    case 'subscribeToTask':
      return { stream: await operations.subscribeToTask(request, call) };
    case 'createTaskPushNotificationConfig':
      return { value: await operations.createTaskPushNotificationConfig(request, call) };
    case 'getTaskPushNotificationConfig':
      return { value: await operations.getTaskPushNotificationConfig(request, call) };
    case 'listTaskPushNotificationConfigs':
      return { value: await operations.listTaskPushNotificationConfigs(request, call) };
    case 'deleteTaskPushNotificationConfig':
      await operations.deleteTaskPushNotificationConfig(request, call);
      return { value: {} };
    case 'getExtendedAgentCard':
    default:
      return { value: await readExtendedCard(extendedCard, call.owner) };
  }
}
