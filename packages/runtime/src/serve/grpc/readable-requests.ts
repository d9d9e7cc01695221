import type { ServiceDefinition } from '@grpc/grpc-js';
import { A2AError } from '@holdword/protocol';

/** Stands for a request whose bytes are not the message of the procedure. */
const UNREADABLE: unknown = Object.freeze({});

/**
 * The service, with requests that cannot be read passed on instead of refused: gRPC answers them as an internal failure,
 * which the mistake of a client is not.
 */
export function withReadableRequests<Service extends ServiceDefinition>(service: Service): Service {
  const entries = Object.entries(service).map(([name, method]) => {
    const read = method.requestDeserialize;
    const requestDeserialize: typeof read = (bytes) => {
      try {
        return read(bytes);
      } catch {
        return UNREADABLE;
      }
    };
    return [name, { ...method, requestDeserialize }];
  });
  return Object.fromEntries(entries) as Service;
}

export function requireReadable(request: unknown): void {
  if (request !== UNREADABLE) return;
  throw new A2AError(
    'PARSE_ERROR',
    'Expected the protobuf message of this procedure, found bytes that are not one.',
  );
}
