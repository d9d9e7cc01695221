import type {
  AgentCard,
  OperationName,
  SendMessageResponse,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from '@holdword/protocol';
import type { EventStream } from '../../operations/operations.ts';

/** How one binding of 0.3 encodes the values of 1.0: JSON-RPC and REST differ in their JSON. */
export interface LegacyDialect {
  streamResponse(response: StreamResponse): unknown;
  task(task: Task): unknown;
  pushConfig(config: TaskPushNotificationConfig): unknown;
  pushConfigs(configs: readonly TaskPushNotificationConfig[]): unknown;
  card(card: AgentCard): unknown;
  /** The response of an operation that returns nothing. */
  readonly nothing: unknown;
}

/** Encodes the result of an operation, which has the type that the operation returns. */
export function encodeLegacyResult(
  dialect: LegacyDialect,
  operation: OperationName,
  value: unknown,
): unknown {
  switch (operation) {
    case 'sendMessage':
      return dialect.streamResponse(value as SendMessageResponse);
    case 'getTask':
    case 'cancelTask':
      return dialect.task(value as Task);
    case 'createTaskPushNotificationConfig':
    case 'getTaskPushNotificationConfig':
      return dialect.pushConfig(value as TaskPushNotificationConfig);
    case 'listTaskPushNotificationConfigs':
      return dialect.pushConfigs((value as { configs: TaskPushNotificationConfig[] }).configs);
    case 'getExtendedAgentCard':
      return dialect.card(value as AgentCard);
    case 'deleteTaskPushNotificationConfig':
      return dialect.nothing;
    case 'listTasks':
    case 'sendStreamingMessage':
    case 'subscribeToTask':
    default:
      throw new Error(`${operation} has no unary response in A2A 0.3`);
  }
}

export async function* encodeLegacyStream(dialect: LegacyDialect, stream: EventStream): EventStream {
  for await (const frames of stream) {
    yield frames.map((frame) => ({
      ...frame,
      json: JSON.stringify(dialect.streamResponse(JSON.parse(frame.json) as StreamResponse)),
    }));
  }
}
