export { A2AError, isA2AError, type A2AErrorOptions, type FieldViolation } from './errors/a2a-error.ts';
export { ERROR_TABLE, type A2AErrorCode } from './errors/error-table.ts';
export { IDEMPOTENCY_EXTENSION, OWN_EXTENSIONS, RESUME_EXTENSION } from './extensions.ts';
export { artifactSchema, type Artifact } from './model/artifact.ts';
export { type JsonObject } from './model/json.ts';
export { messageSchema, type Message, type Role } from './model/message.ts';
export { partSchema, textOfParts, type Part } from './model/part.ts';
export * from './model/requests.ts';
export {
  type SendMessageResponse,
  type StreamResponse,
  type TaskArtifactUpdateEvent,
  type TaskStatusUpdateEvent,
} from './model/stream-response.ts';
export { isInterrupted, isTerminal, type TaskState } from './model/task-state.ts';
export { taskSchema, type Task, type TaskStatus } from './model/task.ts';
