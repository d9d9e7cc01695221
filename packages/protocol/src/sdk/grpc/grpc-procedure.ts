import type { OperationName, OperationRequest } from '../../operation-table.ts';

/** The operations that a client calls on another agent. */
export type PeerOperation = Exclude<OperationName, `${string}PushNotificationConfig${string}`>;

/** A procedure as a client uses it: requests and responses are A2A 1.0 JSON. */
export interface GrpcProcedure<Request> {
  readonly path: string;
  readonly serialize: (request: Request) => Buffer;
  /** Returns JSON that is not validated. */
  readonly deserialize: (bytes: Buffer) => unknown;
}

export type GrpcProcedures = {
  readonly [Name in PeerOperation]?: GrpcProcedure<OperationRequest<Name>>;
};

/** A method of a service in the SDK. */
export interface SdkMethod<Request, Response> {
  readonly path: string;
  readonly requestSerialize: (value: Request) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => Response;
}

/** Adapts a method of one of the SDK's services to A2A 1.0 JSON. */
export function procedure<CoreRequest, SdkRequest, SdkResponse>(
  method: SdkMethod<SdkRequest, SdkResponse>,
  encode: (request: CoreRequest) => SdkRequest,
  decode: (response: SdkResponse) => unknown,
): GrpcProcedure<CoreRequest> {
  return {
    path: method.path,
    serialize: (request) => method.requestSerialize(encode(request)),
    deserialize: (bytes) => decode(method.responseDeserialize(bytes)),
  };
}
