import { LegacyA2AService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import { notInV03, v03Operation, type V03RequestKind, type V03ValueKind } from '../legacy/v03-codec.ts';
import { V03_PROTO_JSON } from '../legacy/v03-proto-json.ts';
import { asObject } from '../basics/json.ts';
import { OPERATIONS, type OperationName } from '../operations.ts';
import type { ProtocolVersion } from '../version.ts';
import { SDK_REQUESTS, SDK_VALUES } from './conversions.ts';
import { type MessageCodecs, withGenerations } from './generation-fields.ts';
import { readFileNames, REQUESTS_WITH_FILES, VALUES_WITH_FILES, writeFileNames } from './v03-file-names.ts';
import { V03_REQUEST_MESSAGES, V03_VALUE_MESSAGES } from './v03-messages.ts';

export { errorDetailsOfTrailer } from './grpc-error-details.ts';
export { A2AService, LegacyA2AService };

/** An operation over gRPC, for servers and clients. What is decoded is A2A 1.0 JSON that is not validated. */
export interface GrpcProcedure extends MessageCodecs {
  readonly path: string;
}

/** The procedure of an operation. Throws UNSUPPORTED_OPERATION if the version does not have it. */
export function grpcProcedure(operation: OperationName, version: ProtocolVersion): GrpcProcedure {
  if (version === '0.3') return legacyProcedure(operation);
  const current = currentProcedure(operation);
  return version === '1.1' ? withGenerations(operation, current) : current;
}

/** A method of one of the SDK's services. Its messages are used only between the codecs of one operation. */
interface SdkMethod {
  readonly path: string;
  requestSerialize(message: unknown): Buffer;
  requestDeserialize(bytes: Buffer): unknown;
  responseSerialize(message: unknown): Buffer;
  responseDeserialize(bytes: Buffer): unknown;
}

function currentProcedure(operation: OperationName): GrpcProcedure {
  const method = A2AService[operation] as SdkMethod;
  const request = SDK_REQUESTS[operation];
  const value = SDK_VALUES[OPERATIONS[operation].response];
  return {
    path: method.path,
    encodeRequest: (json) => method.requestSerialize(request.fromJSON(json)),
    decodeRequest: (bytes) => request.toJSON(method.requestDeserialize(bytes)),
    encodeResponse: (response) => method.responseSerialize(value.toSdk(response)),
    decodeResponse: (bytes) => value.toJson(method.responseDeserialize(bytes)),
  };
}

const LEGACY_METHODS = Object.values(LegacyA2AService) as readonly SdkMethod[];

/** 0.3 over gRPC is its REST in binary: the JSON of both is that of the package `a2a.v1`. */
function legacyProcedure(operation: OperationName): GrpcProcedure {
  const { v03, requestKind, response } = OPERATIONS[operation];
  const method = LEGACY_METHODS.find(({ path }) => path === `/a2a.v1.A2AService/${v03?.procedure}`);
  if (method === undefined) throw notInV03(operation);
  const { request, value } = v03Operation(V03_PROTO_JSON, operation);
  const requestMessage = V03_REQUEST_MESSAGES[requestKind as V03RequestKind];
  const valueMessage = V03_VALUE_MESSAGES[response as V03ValueKind];
  const inRequest = REQUESTS_WITH_FILES[requestKind as V03RequestKind];
  const inValue = VALUES_WITH_FILES[response as V03ValueKind];
  return {
    path: method.path,
    encodeRequest(json) {
      const given = request.toV03(json);
      return writeFileNames(inRequest, method.requestSerialize(requestMessage.fromJson(given)), given);
    },
    decodeRequest(bytes) {
      const json = requestMessage.toJson(method.requestDeserialize(bytes));
      return request.toCore(asObject(readFileNames(inRequest, bytes, json)));
    },
    encodeResponse(json) {
      const given = value.toV03(json);
      return writeFileNames(inValue, method.responseSerialize(valueMessage.fromJson(given)), given);
    },
    decodeResponse(bytes) {
      const json = valueMessage.toJson(method.responseDeserialize(bytes));
      return value.toCore(readFileNames(inValue, bytes, json));
    },
  };
}
