import {
  Client,
  credentials,
  Metadata,
  status,
  type ChannelCredentials,
  type ChannelOptions,
  type ServiceError,
} from '@grpc/grpc-js';
import {
  ConnectionError,
  isForbiddenUrlError,
  toConnectionError,
  type TlsSettings,
} from '@holdword/net/internal';
import type { OperationName } from '@holdword/protocol';
import { GRPC_STATUS_DETAILS_TRAILER, readGrpcError } from '@holdword/protocol/internal';
import { errorDetailsOfTrailer, grpcProcedure, type GrpcProcedure } from '@holdword/protocol/internal/grpc';
import { tooLarge } from './http-endpoint.ts';
import type { PeerCallOptions } from './peer.ts';
import type { GrpcTarget } from './usable-interfaces.ts';
import { readHeaders, serviceHeaders, type Wire, type WireOptions } from './wire.ts';

export interface GrpcWireOptions extends WireOptions {
  target: GrpcTarget;
}

/**
 * gRPC over a dedicated channel. The guarded client resolves and checks the host name, and the channel connects only to
 * the resulting addresses.
 */
export function openGrpcWire(options: GrpcWireOptions): Wire {
  let channel: Promise<Client> | undefined;

  const connect = (signal: AbortSignal | undefined): Promise<Client> => {
    channel ??= openChannel(options, signal).catch((error: unknown) => {
      channel = undefined;
      signal?.throwIfAborted();
      throw isForbiddenUrlError(error) ? error : toConnectionError(error);
    });
    return channel;
  };

  const metadataOf = async (call: PeerCallOptions): Promise<Metadata> => {
    const metadata = new Metadata();
    const headers = {
      ...serviceHeaders(options, call, 'Holdword-Resume-After'),
      ...(await readHeaders(options.headers)),
      ...(options.allowCallHeaders && call.headers),
    };
    for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
    return metadata;
  };

  const procedureOf = (operation: OperationName): GrpcProcedure => grpcProcedure(operation, options.version);

  return {
    call: async (operation, request, call) => {
      const { path, encodeRequest, decodeResponse } = procedureOf(operation);
      const client = await connect(call.signal);
      const metadata = await metadataOf(call);
      const deadline = Date.now() + (call.timeoutMilliseconds ?? options.timeoutMilliseconds);
      const answer = Promise.withResolvers<unknown>();
      const running = client.makeUnaryRequest(
        path,
        encodeRequest,
        decodeResponse,
        request,
        metadata,
        { deadline },
        (error, response) => (error === null ? answer.resolve(response) : answer.reject(error)),
      );
      return cancelledBy(call.signal, running, answer.promise).catch((error: unknown) => {
        throw fromGrpcError(error, operation, options.maxResponseBytes);
      });
    },
    stream: async function* (operation, request, call) {
      const { path, encodeRequest, decodeResponse } = procedureOf(operation);
      const client = await connect(call.signal);
      const metadata = await metadataOf(call);
      const running = client.makeServerStreamRequest(path, encodeRequest, decodeResponse, request, metadata);
      // Cancelling ends the stream with an error that has no listener any more.
      running.on('error', () => {});
      const cancel = (): void => running.cancel();
      call.signal?.addEventListener('abort', cancel);
      try {
        call.signal?.throwIfAborted();
        for await (const json of running as AsyncIterable<unknown>) yield { json };
      } catch (error) {
        call.signal?.throwIfAborted();
        throw fromGrpcError(error, operation, options.maxResponseBytes);
      } finally {
        call.signal?.removeEventListener('abort', cancel);
        running.cancel();
      }
    },
    close: () => {
      void channel?.then((client) => client.close());
      channel = undefined;
    },
  };
}

async function openChannel(
  { client, target, maxResponseBytes }: GrpcWireOptions,
  signal: AbortSignal | undefined,
): Promise<Client> {
  const addresses = await client.addressesOf(target.url, signal);
  const [first] = addresses;
  const scheme = first?.family === 6 ? 'ipv6' : 'ipv4';
  const endpoints = addresses
    .filter(({ family }) => family === first?.family)
    .map(({ address, family }) =>
      family === 6 ? `[${address}]:${target.port}` : `${address}:${target.port}`,
    );
  const options: ChannelOptions = {
    'grpc.max_receive_message_length': maxResponseBytes,
    'grpc.default_authority': target.url.replace(/^https?:\/\//, ''),
    // Callers have their own backoff, so reconnecting starts early.
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1_000,
    // A proxy would resolve the host name itself.
    'grpc.enable_http_proxy': 0,
    ...(target.secure && { 'grpc.ssl_target_name_override': target.host }),
  };
  const security = target.secure ? tlsCredentials(client.tls) : credentials.createInsecure();
  return new Client(`${scheme}:${endpoints.join(',')}`, security, options);
}

function tlsCredentials({ ca, key, cert, rejectUnauthorized = true }: TlsSettings = {}): ChannelCredentials {
  return credentials.createSsl(pem(ca), pem(key), pem(cert), { rejectUnauthorized });
}

function pem(text: string | undefined): Buffer | null {
  return text === undefined ? null : Buffer.from(text);
}

async function cancelledBy(
  signal: AbortSignal | undefined,
  running: { cancel(): void },
  answer: Promise<unknown>,
): Promise<unknown> {
  const cancel = (): void => running.cancel();
  if (signal?.aborted === true) cancel();
  signal?.addEventListener('abort', cancel);
  try {
    return await answer;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

/** Converts an error of the gRPC library, which reports connection errors with the same statuses as servers do. */
function fromGrpcError(error: unknown, operation: OperationName, maxResponseBytes: number): unknown {
  if (!isServiceError(error)) return error;
  const [trailer] = error.metadata.get(GRPC_STATUS_DETAILS_TRAILER);
  if (trailer instanceof Buffer) {
    return readGrpcError(error.code, error.details, errorDetailsOfTrailer(trailer), operation);
  }
  // The library's own refusal: servers that are overloaded use the same status.
  if (
    error.code === status.RESOURCE_EXHAUSTED &&
    error.details.startsWith('Received message larger than max')
  ) {
    return tooLarge(maxResponseBytes);
  }
  if (error.code === status.DEADLINE_EXCEEDED) {
    return new ConnectionError('the request timed out', { sent: true, cause: error });
  }
  if (error.code === status.UNAVAILABLE) {
    const sent = !/No connection established|ECONNREFUSED|Name resolution failed/.test(error.details);
    const reason = sent ? 'the server closed the connection' : connectReason(error.details);
    return new ConnectionError(reason, { sent, cause: error });
  }
  return readGrpcError(error.code, error.details, [], operation);
}

/** The reason for a failed connection. The library gives it only in the message, which contains addresses. */
function connectReason(details: string): string {
  return /certificate|\bSSL\b|\bTLS\b/i.test(details)
    ? 'the TLS handshake failed'
    : 'the connection was refused';
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'details' in error && 'metadata' in error;
}
