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
export {
  signCard,
  verifyCard,
  type CardKeyResolver,
  type CardSigningKey,
  type CardVerification,
  type SignatureKeyHint,
} from './card/card-signatures.ts';
export {
  A2AError,
  isA2AError,
  type A2AErrorCode,
  type A2AErrorOptions,
  type FieldViolation,
} from './errors/a2a-error.ts';
export { SIGNATURE_METADATA, verifyEvents, type EventVerification } from './event-signatures.ts';
export { FORK_EXTENSION, IDEMPOTENCY_EXTENSION, RESUME_EXTENSION, SKILL_METADATA } from './extensions.ts';
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
export {
  isInterrupted,
  isTerminal,
  type Artifact,
  type SendMessageResponse,
  type StreamResponse,
  type Task,
  type TaskArtifactUpdateEvent,
  type TaskState,
  type TaskStatus,
  type TaskStatusUpdateEvent,
} from './model.ts';
export type { JsonObject } from './basics/json.ts';
export { textOfParts, type Message, type Part, type Role } from './model.ts';
export type {
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetExtendedAgentCardRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTasksRequest,
  ListTasksResponse,
  OperationName,
  SendMessageConfiguration,
  SendMessageRequest,
  SubscribeToTaskRequest,
  TaskPushNotificationConfig,
} from './operations.ts';
export type { ProtocolVersion } from './version.ts';
