export {
  agentCardSchema,
  type AgentCapabilities,
  type AgentCard,
  type AgentCardSignature,
  type AgentExtension,
  type AgentInterface,
  type AgentProvider,
  type AgentSkill,
  type OAuthFlows,
  type SecurityRequirement,
  type SecurityScheme,
} from './card/agent-card.ts';
export {
  buildAgentCard,
  type AgentCardInput,
  type CardEndpoint,
  type ProtocolBinding,
} from './card/build-agent-card.ts';
export { canonicalJson } from './card/canonical-json.ts';
export { canonicalizeCard } from './card/canonicalize-card.ts';
export { signCard, type CardSigningKey } from './card/sign-card.ts';
export { toLegacyCard } from './card/to-legacy-card.ts';
export { toSharedCard } from './card/to-shared-card.ts';
export {
  verifyCard,
  type CardKeyResolver,
  type CardVerification,
  type SignatureKeyHint,
} from './card/verify-card.ts';
export { decodeRequest, invalidFields } from './decode-request.ts';
export { describeIssues } from './describe-issues.ts';
export { A2AError, isA2AError, type A2AErrorOptions, type FieldViolation } from './errors/a2a-error.ts';
export { errorDetails, type ErrorDetail } from './errors/error-details.ts';
export { ERROR_TABLE, errorCodeOfJsonRpc, type A2AErrorCode } from './errors/error-table.ts';
export { GRPC_STATUS_DETAILS_TRAILER, toGrpcStatus, type GrpcStatus } from './errors/grpc-status.ts';
export { ALLOWED_VERBS_METADATA, toHttpError, type HttpError } from './errors/http-error.ts';
export { toJsonRpcError, type JsonRpcError } from './errors/json-rpc-error.ts';
export { toPublicError } from './errors/public-error.ts';
export { readGrpcError, readHttpError, readJsonRpcError } from './errors/read-error.ts';
export {
  EXTENSIONS_PARAMETER,
  IDEMPOTENCY_EXTENSION,
  LEGACY_EXTENSIONS_PARAMETER,
  OWN_EXTENSIONS,
  parseExtensions,
  RESUME_EXTENSION,
} from './extensions.ts';
export { ROUTE_KEY, SESSION_ROUTES } from './agent-route.ts';
export { jsonRpcFailure, jsonRpcResult } from './json-rpc/answer.ts';
export { decodeJsonRpcRequest, type DecodedJsonRpcRequest } from './json-rpc/decode-json-rpc-request.ts';
export {
  readEnvelope,
  type JsonRpcEnvelope,
  type JsonRpcId,
  type JsonRpcRefusal,
} from './json-rpc/envelope.ts';
export { resolveMethod } from './json-rpc/method.ts';
export { artifactSchema, type Artifact } from './model/artifact.ts';
export { applyArtifactUpdate, artifactsById, withoutSequence } from './model/growing-task.ts';
export { asObject, isObject, jsonObjectSchema, type JsonObject } from './model/json.ts';
export { messageSchema, roleSchema, type Message, type Role } from './model/message.ts';
export { isBareText, partSchema, textOfParts, type Part } from './model/part.ts';
export {
  authenticationInfoSchema,
  cancelTaskRequestSchema,
  createTaskPushNotificationConfigRequestSchema,
  deleteTaskPushNotificationConfigRequestSchema,
  getExtendedAgentCardRequestSchema,
  getTaskPushNotificationConfigRequestSchema,
  getTaskRequestSchema,
  listTaskPushNotificationConfigsRequestSchema,
  listTasksRequestSchema,
  sendMessageConfigurationSchema,
  sendMessageRequestSchema,
  subscribeToTaskRequestSchema,
  taskPushNotificationConfigSchema,
  type CancelTaskRequest,
  type DeleteTaskPushNotificationConfigRequest,
  type GetExtendedAgentCardRequest,
  type GetTaskPushNotificationConfigRequest,
  type GetTaskRequest,
  type ListTaskPushNotificationConfigsRequest,
  type ListTasksRequest,
  type ListTasksResponse,
  type SendMessageConfiguration,
  type SendMessageRequest,
  type SubscribeToTaskRequest,
  type TaskPushNotificationConfig,
} from './model/requests.ts';
export {
  sendMessageResponseSchema,
  streamResponseSchema,
  type SendMessageResponse,
  type StreamResponse,
  type TaskArtifactUpdateEvent,
  type TaskStatusUpdateEvent,
} from './model/stream-response.ts';
export { isInterrupted, isTerminal, taskStateSchema, type TaskState } from './model/task-state.ts';
export { taskSchema, taskStatusSchema, type Task, type TaskStatus } from './model/task.ts';
export { nearestName } from './nearest-name.ts';
export {
  decodeOperation,
  OPERATION_NAMES,
  OPERATION_TABLE,
  type DecodedOperation,
  type OperationName,
  type OperationRequest,
} from './operation-table.ts';
export { decodeRestRequest } from './rest/decode-rest-request.ts';
export { matchRestRoute, type RestMatch } from './rest/match-route.ts';
export { REST_ROUTES, type RestVerb } from './rest/route-table.ts';
export { safeParse, type Parsed } from './safe-parse.ts';
export { withoutNulls } from './without-nulls.ts';
export { parseVersion, PROTOCOL_VERSIONS, VERSION_PARAMETER, type ProtocolVersion } from './version.ts';
