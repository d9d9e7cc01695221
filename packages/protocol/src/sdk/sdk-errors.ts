import {
  A2AError as SdkError,
  ContentTypeNotSupportedError,
  ExtendedAgentCardNotConfiguredError,
  ExtensionSupportRequiredError,
  InvalidAgentResponseError,
  isJsonRpcError,
  JsonRpcTransportError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
  VersionNotSupportedError,
  type A2AErrorOptions as SdkErrorOptions,
} from '@a2a-js/sdk/errors';
import { A2AError, isA2AError } from '../errors/a2a-error.ts';
import { errorCodeOfJsonRpc, isErrorCode, type A2AErrorCode } from '../errors/error-table.ts';
import { toGrpcStatus } from '../errors/grpc-status.ts';
import { toJsonRpcError } from '../errors/json-rpc-error.ts';
import { toPublicError } from '../errors/public-error.ts';

/*
 * Errors across the SDK's transports, which recognise the SDK's own classes alone.
 *
 * 0.3 over JSON-RPC and REST: the transports copy code, message and data of an error whose `transport` is "jsonrpc", so
 * every error of our table arrives whole. The HTTP status of 0.3 REST is the serving edge's to set: `toHttpError` knows
 * it.
 *
 * gRPC: the transports copy the message and the status number of an error whose `transport` is "grpc", so every error
 * arrives with its status. The status details they write themselves, from the error's `name` if it is one they know:
 * ErrorInfo for A2A's own errors and INVALID_PARAMS, nothing for ours, and never field violations. An edge that wants
 * those replaces the trailer with `toGrpcStatus(error).details`.
 */

type SdkErrorClass = new (options?: SdkErrorOptions) => SdkError;

const SDK_CLASSES: Partial<Record<A2AErrorCode, SdkErrorClass>> = {
  TASK_NOT_FOUND: TaskNotFoundError,
  TASK_NOT_CANCELABLE: TaskNotCancelableError,
  PUSH_NOTIFICATION_NOT_SUPPORTED: PushNotificationNotSupportedError,
  UNSUPPORTED_OPERATION: UnsupportedOperationError,
  CONTENT_TYPE_NOT_SUPPORTED: ContentTypeNotSupportedError,
  INVALID_AGENT_RESPONSE: InvalidAgentResponseError,
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: ExtendedAgentCardNotConfiguredError,
  EXTENSION_SUPPORT_REQUIRED: ExtensionSupportRequiredError,
  VERSION_NOT_SUPPORTED: VersionNotSupportedError,
  INVALID_PARAMS: RequestMalformedError,
};

/** The error to throw at a 0.3 JSON-RPC or REST transport of the SDK. */
export function toSdkJsonError(error: unknown): Error {
  return new JsonRpcTransportError({ jsonrpc: '2.0', id: null, error: toJsonRpcError(error) });
}

/** The error to throw at a gRPC service of the SDK, 1.0 or 0.3. */
export function toSdkGrpcError(error: unknown): Error {
  const known = toPublicError(error);
  const SdkClass = SDK_CLASSES[known.code] ?? SdkError;
  const sdkError = new SdkClass({ message: known.message, metadata: known.metadata });
  return Object.assign(sdkError, { transport: 'grpc', status: toGrpcStatus(known).code });
}

/** The error of our table behind one that the SDK threw; an error that is neither stays unknown. */
export function fromSdkError(error: unknown): A2AError {
  if (isA2AError(error) || !(error instanceof SdkError)) return toPublicError(error);
  const code = isJsonRpcError(error) ? errorCodeOfJsonRpc(error.envelopeCode) : error.reason;
  if (code === undefined || !isErrorCode(code) || code === 'INTERNAL') return toPublicError(error);
  return new A2AError(code, error.message, { metadata: error.metadata ?? {}, cause: error });
}
