import {
  Client,
  credentials,
  Metadata,
  type ClientReadableStream,
  type MethodDefinition,
  type ServiceError,
} from '@grpc/grpc-js';
import { onTestFinished } from 'vitest';

/** A bare gRPC client, closed when the test ends. */
export function grpcClient(address: string) {
  const client = new Client(address, credentials.createInsecure());
  onTestFinished(() => client.close());
  return {
    /** The response with the metadata that came before it; rejects with a ServiceError. */
    unary<Request, Response>(
      method: MethodDefinition<Request, Response>,
      request: Request,
      headers: Record<string, string> = {},
    ): Promise<{ response: Response; metadata: Metadata }> {
      return new Promise((resolve, reject) => {
        let metadata = new Metadata();
        const { path, requestSerialize, responseDeserialize } = method;
        client
          .makeUnaryRequest(
            path,
            requestSerialize,
            responseDeserialize,
            request,
            metadataOf(headers),
            (error: ServiceError | null, response?: Response) => {
              if (error !== null) reject(error);
              else if (response !== undefined) resolve({ response, metadata });
            },
          )
          .on('metadata', (received) => {
            metadata = received;
          });
      });
    },
    stream<Request, Response>(
      method: MethodDefinition<Request, Response>,
      request: Request,
      headers: Record<string, string> = {},
    ): ClientReadableStream<Response> {
      const { path, requestSerialize, responseDeserialize } = method;
      return client.makeServerStreamRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        metadataOf(headers),
      );
    },
  };
}

function metadataOf(headers: Record<string, string>): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  return metadata;
}
