import type { ServiceDefinition } from '@grpc/grpc-js';
import { A2AError } from '@holdword/protocol';

/** Stands for a request whose bytes are not the message of the procedure. */
const UNREADABLE: unknown = Object.freeze({});

/**
 * The service, with malformed requests passed on: gRPC would report them as an internal error, although the client made
 * the mistake.
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
  throw new A2AError('PARSE_ERROR', 'The request is not the protobuf message of this procedure.');
}
