import type { Metadata } from '@grpc/grpc-js';
import type { RequestHeaders } from '../auth/authentication.ts';

/** Metadata as header fields, without binary entries: the server reads none. */
export function grpcHeaders(metadata: Metadata): RequestHeaders {
  const headers: Record<string, string[]> = {};
  for (const name of Object.keys(metadata.getMap())) {
    headers[name] = metadata.get(name).filter((value) => typeof value === 'string');
  }
  return headers;
}
