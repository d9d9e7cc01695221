/** A2A 1.0 as types, its errors, and signed agent cards. Runs in Node and in a browser. */
export type {
  AgentCapabilities,
  AgentCard,
  AgentCardSignature,
  AgentExtension,
  AgentInterface,
  AgentProvider,
  AgentSkill,
  OAuthFlows,
  SecurityRequirement,
  SecurityScheme,
} from './card/agent-card.ts';
export type { ProtocolBinding } from './card/build-agent-card.ts';
export { signCard, type CardSigningKey } from './card/sign-card.ts';
export {
  verifyCard,
  type CardKeyResolver,
  type CardVerification,
  type SignatureKeyHint,
} from './card/verify-card.ts';
export { A2AError, isA2AError, type A2AErrorOptions, type FieldViolation } from './errors/a2a-error.ts';
export type { A2AErrorCode } from './errors/error-table.ts';
export { IDEMPOTENCY_EXTENSION, RESUME_EXTENSION } from './extensions.ts';
export type {
  V03Artifact,
  V03ArtifactUpdate,
  V03DataPart,
  V03Event,
  V03FilePart,
  V03Message,
  V03Part,
  V03StatusUpdate,
  V03Task,
  V03TaskState,
  V03TaskStatus,
  V03TextPart,
} from './legacy/v03-types.ts';
export type { Artifact } from './model/artifact.ts';
export type { JsonObject } from './model/json.ts';
export type { Message, Role } from './model/message.ts';
export { textOfParts, type Part } from './model/part.ts';
export type {
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetExtendedAgentCardRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageConfiguration,
  SendMessageRequest,
  SubscribeToTaskRequest,
  TaskPushNotificationConfig,
} from './model/requests.ts';
export type {
  SendMessageResponse,
  StreamResponse,
  TaskArtifactUpdateEvent,
  TaskStatusUpdateEvent,
} from './model/stream-response.ts';
export { isInterrupted, isTerminal, type TaskState } from './model/task-state.ts';
export type { Task, TaskStatus } from './model/task.ts';
export type { OperationName } from './operation-table.ts';
export type { ProtocolVersion } from './version.ts';
