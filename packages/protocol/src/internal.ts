/**
 * For Holdword's own packages, not covered by semver: schemas, codecs, routes, conversions between versions. Runs in a
 * browser, as the rest of this package does.
 */
export { ROUTE_KEY, SESSION_ROUTES } from './agent-route.ts';
export { backoffDelay, type BackoffOptions } from './basics/backoff.ts';
export { errorCode, hasErrorCode } from './basics/error-code.ts';
export { shorten, trimEndOf } from './basics/shorten.ts';
export { Deadline, pause, steadyNow, Timer, unlessAborted, withTimeout } from './basics/timers.ts';
export { agentCardSchema, agentExtensionSchema, agentSkillSchema } from './card/agent-card.ts';
export { buildAgentCard, type CardEndpoint } from './card/build-agent-card.ts';
export { canonicalizeCard, canonicalJson } from './card/canonical-card.ts';
export { toLegacyCard, toUnversionedCard, v03CardToCore } from './legacy/v03-card.ts';
export { decodeRequest, invalidFields, safeParse, withoutNulls } from './decode-request.ts';
export { checkArgument, hasMethods } from './check-argument.ts';
export { describeIssues, describeValue } from './describe-issues.ts';
export { ERROR_TABLE, toPublicError } from './errors/a2a-error.ts';
export { GRPC_STATUS_DETAILS_TRAILER, toGrpcStatus } from './errors/grpc-status.ts';
export { ALLOWED_VERBS_METADATA, specErrorName, toHttpError, toJsonRpcError } from './errors/encode-error.ts';
export {
  hasRemoteText,
  quotedMessage,
  quotedRemoteMessage,
  quoteRemoteText,
  readGrpcError,
  readHttpError,
  readJsonRpcError,
  withRemoteText,
  withRetryAfter,
} from './errors/read-error.ts';
export {
  EXTENSIONS_PARAMETER,
  LEGACY_EXTENSIONS_PARAMETER,
  OWN_EXTENSIONS,
  parseExtensions,
} from './extensions.ts';
export { generationOf, generationOfEvent, withGeneration } from './generation.ts';
export {
  decodeJsonRpcRequest,
  jsonRpcFailure,
  jsonRpcResult,
  readEnvelope,
  resolveMethod,
  type JsonRpcId,
} from './json-rpc.ts';
export { isFinal, v03Operation } from './legacy/v03-codec.ts';
export { coreErrorToV03, v03RestError } from './legacy/v03-errors.ts';
export {
  coreArtifactToV03,
  coreMessageToV03,
  coreStreamResponseToV03,
  coreTaskToV03,
  V03_JSON,
  v03EventToCore,
  v03PartToCore,
  v03TaskToCore,
} from './legacy/v03-json.ts';
export { V03_PROTO_JSON } from './legacy/v03-proto-json.ts';
export {
  decodeV03RestRequest,
  encodeV03RestRequest,
  parseV03RestBody,
  V03_REST_PREFIX,
} from './legacy/v03-rest.ts';
export {
  applyArtifactUpdate,
  artifactsById,
  sendMessageResponseSchema,
  streamResponseSchema,
  taskSchema,
  taskStateSchema,
  withoutSequence,
} from './model.ts';
export {
  asObject,
  charactersOf,
  hasMoreValuesThan,
  isDeeperThan,
  isLazy,
  isObject,
  isValueDeeperThan,
  jsonPieces,
  LazyList,
  LazyText,
  withoutLazy,
} from './basics/json.ts';
export { digestedText, type SaidContent, type SignedStatement, statementText } from './event-signatures.ts';
export { isBareText, messageSchema, partSchema } from './model.ts';
export {
  decodeOperation,
  isStreaming,
  MOST_ID_CHARACTERS,
  OPERATION_NAMES,
  OPERATIONS,
  responseKind,
  sendMessageRequestSchema,
  taskPushNotificationConfigSchema,
  type DecodedOperation,
  type OperationRequest,
  type OperationResponse,
  type StreamingOperation,
  type ValueKind,
  type Values,
} from './operations.ts';
export { nearestName } from './nearest-name.ts';
export { decodeRestRequest, encodeRestRequest, matchRestRoute } from './rest.ts';
export { parseVersion, PROTOCOL_VERSIONS, VERSION_PARAMETER } from './version.ts';
