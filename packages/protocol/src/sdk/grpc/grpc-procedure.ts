import type { OperationName, OperationRequest } from '../../operation-table.ts';

/** The operations that a client calls on another agent. */
export type PeerOperation = Exclude<OperationName, `${string}PushNotificationConfig${string}`>;

/** One procedure from the side of the client: its requests and answers are JSON of A2A 1.0. */
export interface GrpcProcedure<Request> {
  readonly path: string;
  readonly serialize: (request: Request) => Buffer;
  /** JSON that no schema has accepted yet. */
  readonly deserialize: (bytes: Buffer) => unknown;
}

export type GrpcProcedures = {
  readonly [Name in PeerOperation]?: GrpcProcedure<OperationRequest<Name>>;
};

/** A method of a service as the SDK has it. */
export interface SdkMethod<Request, Response> {
  readonly path: string;
  readonly requestSerialize: (value: Request) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => Response;
}

/** A method of one of the SDK's services with our vocabulary on both sides. */
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
