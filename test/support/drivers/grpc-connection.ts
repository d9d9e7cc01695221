import { decodeErrorInfo, decodeStatus, GRPC_STATUS_DETAILS_BIN } from '@a2a-js/sdk/errors/grpc';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { Client, credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import type { JsonObject } from '@holdword/protocol';
import type { CallOptions, DriverTarget } from './driver.ts';
import { WireError } from './wire-error.ts';

interface Method<Request, Response> {
  readonly path: string;
  readonly requestSerialize: (value: Request) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => Response;
}

/** A gRPC channel without generated client code: raw paths, bytes and metadata. */
export class GrpcConnection {
  readonly #client: Client;
  readonly #headers: Record<string, string>;

  constructor(target: DriverTarget, headers: Record<string, string>) {
    this.#client = new Client(target.grpcAddress, credentials.createInsecure());
    this.#headers = { ...headers, ...target.headers };
  }

  call<Request, Response>(
    method: Method<Request, Response>,
    request: Request,
    options: CallOptions = {},
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      const call = this.#client.makeUnaryRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        request,
        this.#metadata(options),
        {},
        (error, response) => {
          if (error !== null) {
            reject(grpcError(error));
          } else if (response === undefined) {
            reject(new Error(`${method.path} returned no response`));
          } else {
            resolve(response);
          }
        },
      );
      options.signal?.addEventListener('abort', () => call.cancel());
    });
  }

  async *stream<Request, Response>(
    method: Method<Request, Response>,
    request: Request,
    options: CallOptions = {},
  ): AsyncGenerator<Response> {
    const call = this.#client.makeServerStreamRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      this.#metadata(options),
      {},
    );
    options.signal?.addEventListener('abort', () => call.cancel());
    try {
      for await (const response of call as AsyncIterable<Response>) {
        yield response;
      }
    } catch (error) {
      throw isServiceError(error) ? grpcError(error) : error;
    } finally {
      call.cancel();
    }
  }

  close(): void {
    this.#client.close();
  }

  #metadata(options: CallOptions): Metadata {
    const metadata = new Metadata();
    for (const [name, value] of Object.entries({ ...this.#headers, ...options.headers })) {
      metadata.set(name, value);
    }
    return metadata;
  }
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'metadata' in error;
}

function grpcError(error: ServiceError): WireError {
  const [bytes] = error.metadata.get(GRPC_STATUS_DETAILS_BIN);
  const challenge = error.metadata.get('www-authenticate')[0];
  return new WireError({
    message: error.details,
    code: error.code,
    status: status[error.code],
    details: bytes instanceof Buffer ? decodeStatus(bytes).details.map(detailOf) : [],
    headers: typeof challenge === 'string' ? { 'www-authenticate': challenge } : {},
  });
}

function detailOf(detail: { typeUrl: string; value: Uint8Array }): JsonObject {
  const bytes = Buffer.from(detail.value);
  if (detail.typeUrl.endsWith('google.rpc.ErrorInfo')) {
    return { '@type': detail.typeUrl, ...decodeErrorInfo(bytes) };
  }
  if (detail.typeUrl.endsWith('google.rpc.BadRequest')) {
    return { '@type': detail.typeUrl, fieldViolations: decodeFieldViolations(bytes) };
  }
  return { '@type': detail.typeUrl };
}

/** `google.rpc.BadRequest`: repeated field 1, messages with the strings field (1) and description (2). */
function decodeFieldViolations(bytes: Uint8Array): { field: string; description: string }[] {
  const reader = new BinaryReader(bytes);
  const violations: { field: string; description: string }[] = [];
  while (reader.pos < reader.len) {
    const [, type] = reader.tag();
    const violation = { field: '', description: '' };
    if (type === WireType.LengthDelimited) {
      const inner = new BinaryReader(reader.bytes());
      while (inner.pos < inner.len) {
        const [number, innerType] = inner.tag();
        if (number === 1) {
          violation.field = inner.string();
        } else if (number === 2) {
          violation.description = inner.string();
        } else {
          inner.skip(innerType);
        }
      }
      violations.push(violation);
    } else {
      reader.skip(type);
    }
  }
  return violations;
}
