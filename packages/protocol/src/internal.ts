/**
 * For Holdword's own packages, not covered by semver: schemas, codecs, routes, conversions between versions. Runs in a
 * browser, as the rest of this package does.
 */
export { ROUTE_KEY, SESSION_ROUTES } from './agent-route.ts';
export { backoffDelay, type BackoffOptions } from './basics/backoff.ts';
export { errorCode, hasErrorCode } from './basics/error-code.ts';
export { shorten } from './basics/shorten.ts';
export { Deadline, pause, Timer, unlessAborted, withTimeout } from './basics/timers.ts';
export { agentCardSchema } from './card/agent-card.ts';
export { buildAgentCard, type CardEndpoint } from './card/build-agent-card.ts';
export { canonicalJson } from './card/canonical-json.ts';
export { canonicalizeCard } from './card/canonicalize-card.ts';
export { toLegacyCard } from './card/to-legacy-card.ts';
export { toSharedCard } from './card/to-shared-card.ts';
export { decodeRequest, invalidFields } from './decode-request.ts';
export { checkArgument } from './check-argument.ts';
export { describeValue } from './describe-issue.ts';
export { describeIssues } from './describe-issues.ts';
export { ERROR_TABLE } from './errors/error-table.ts';
export { GRPC_STATUS_DETAILS_TRAILER, toGrpcStatus } from './errors/grpc-status.ts';
export { ALLOWED_VERBS_METADATA, toHttpError } from './errors/http-error.ts';
export { toJsonRpcError } from './errors/json-rpc-error.ts';
export { toPublicError } from './errors/public-error.ts';
export { readGrpcError, readHttpError, readJsonRpcError } from './errors/read-error.ts';
export {
  EXTENSIONS_PARAMETER,
  LEGACY_EXTENSIONS_PARAMETER,
  OWN_EXTENSIONS,
  parseExtensions,
} from './extensions.ts';
export { jsonRpcFailure, jsonRpcResult } from './json-rpc/response.ts';
export { decodeJsonRpcRequest } from './json-rpc/decode-json-rpc-request.ts';
export { readEnvelope, type JsonRpcEnvelope, type JsonRpcId } from './json-rpc/envelope.ts';
export { resolveMethod } from './json-rpc/method.ts';
export {
  coreArtifactToV03,
  coreMessageToV03,
  coreStreamResponseToV03,
  coreTaskToV03,
} from './legacy/core-event-to-v03.ts';
export { coreSendToV03 } from './legacy/core-send-to-v03.ts';
export { coreErrorToV03 } from './legacy/core-error-to-v03.ts';
export { isFinal, withoutAbsent } from './legacy/json-fields.ts';
export { coreMessageToV03Proto, corePartToV03Proto } from './legacy/proto/core-content-to-v03-proto.ts';
export { coreSendToV03Proto } from './legacy/proto/core-send-to-v03-proto.ts';
export { v03ProtoEventToCore, v03ProtoTaskToCore } from './legacy/proto/v03-proto-response-to-core.ts';
export { v03ProtoPartToCore } from './legacy/proto/v03-proto-part-to-core.ts';
export { corePushConfigToV03, v03PushConfigToCore } from './legacy/push-config.ts';
export { v03EventToCore, v03TaskToCore } from './legacy/v03-response-to-core.ts';
export { v03CardToCore } from './legacy/v03-card-to-core.ts';
export { v03PartToCore } from './legacy/v03-part-to-core.ts';
export { applyArtifactUpdate, artifactsById, withoutSequence } from './model/apply-artifact-update.ts';
export { asObject, isObject } from './model/json.ts';
export { messageSchema } from './model/message.ts';
export { isBareText, partSchema } from './model/part.ts';
export { sendMessageRequestSchema, taskPushNotificationConfigSchema } from './model/requests.ts';
export { sendMessageResponseSchema, streamResponseSchema } from './model/stream-response.ts';
export { taskStateSchema } from './model/task-state.ts';
export { taskSchema } from './model/task.ts';
export { nearestName } from './nearest-name.ts';
export {
  decodeOperation,
  OPERATION_TABLE,
  type DecodedOperation,
  type OperationRequest,
} from './operation-table.ts';
export { decodeRestRequest } from './rest/decode-rest-request.ts';
export { matchRestRoute, type RestMatch } from './rest/match-route.ts';
export { REST_ROUTES, type RestVerb } from './rest/route-table.ts';
export { safeParse } from './safe-parse.ts';
export { parseVersion, VERSION_PARAMETER } from './version.ts';
export { withoutNulls } from './without-nulls.ts';
