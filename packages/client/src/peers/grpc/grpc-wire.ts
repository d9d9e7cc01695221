import { Client, credentials, Metadata, type ChannelOptions } from '@grpc/grpc-js';
import type { GuardedClient } from '@holdword/net/internal';
import type { ProtocolVersion } from '@holdword/protocol';
import { LEGACY_PROCEDURES, PROCEDURES, type GrpcProcedure } from '@holdword/protocol/internal/grpc';
import { notInLegacy } from '../json-rpc/json-rpc-dialect.ts';
import { readHeaders, type HeaderSource } from '../header-source.ts';
import type { PeerCallOptions } from '../peer.ts';
import { serviceHeaders } from '../service-headers.ts';
import type { StreamingOperation, UnaryOperation, Wire } from '../wire.ts';
import { fromGrpcError } from './grpc-error.ts';
import type { GrpcTarget } from './grpc-target.ts';

export interface GrpcWireOptions {
  client: GuardedClient;
  target: GrpcTarget;
  version: ProtocolVersion;
  extensions: readonly string[];
  headers: HeaderSource;
  /** Whether per-request headers may be sent to this target. */
  allowCallHeaders: boolean;
  maxResponseBytes: number;
  timeoutMilliseconds: number;
}

/**
 * gRPC over a dedicated channel. The guarded client resolves and checks the host name, and the channel connects only to
 * the resulting addresses.
 */
export function openGrpcWire(options: GrpcWireOptions): Wire {
  const { version } = options;
  const procedures = version === '1.0' ? PROCEDURES : LEGACY_PROCEDURES;
  let channel: Promise<Client> | undefined;

  const connect = (signal: AbortSignal | undefined): Promise<Client> => {
    channel ??= openChannel(options, signal).catch((error: unknown) => {
      channel = undefined;
      throw error;
    });
    return channel;
  };

  const metadataOf = async (call: PeerCallOptions): Promise<Metadata> => {
    const metadata = new Metadata();
    const headers = {
      ...serviceHeaders(version, options.extensions, call, 'Holdword-Resume-After'),
      ...(await readHeaders(options.headers)),
      ...(options.allowCallHeaders && call.headers),
    };
    for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
    return metadata;
  };

  /** The signatures of `Wire` guarantee that requests match their operation. */
  const procedureOf = (operation: UnaryOperation | StreamingOperation): GrpcProcedure<unknown> => {
    const found: Partial<Record<string, GrpcProcedure<never>>> = procedures;
    const procedure = found[operation];
    if (procedure === undefined) throw notInLegacy('ListTasks');
    return procedure as GrpcProcedure<unknown>;
  };

  return {
    call: async (operation, request, call) => {
      const { path, serialize, deserialize } = procedureOf(operation);
      const client = await connect(call.signal);
      const metadata = await metadataOf(call);
      const deadline = Date.now() + (call.timeoutMilliseconds ?? options.timeoutMilliseconds);
      const answer = Promise.withResolvers<unknown>();
      const running = client.makeUnaryRequest(
        path,
        serialize,
        deserialize,
        request,
        metadata,
        { deadline },
        (error, response) => (error === null ? answer.resolve(response) : answer.reject(error)),
      );
      return cancelledBy(call.signal, running, answer.promise);
    },
    stream: async function* (operation, request, call) {
      const { path, serialize, deserialize } = procedureOf(operation);
      const client = await connect(call.signal);
      const metadata = await metadataOf(call);
      const running = client.makeServerStreamRequest(path, serialize, deserialize, request, metadata);
      // Cancelling ends the stream with an error that has no listener any more.
      running.on('error', () => {});
      const cancel = (): void => running.cancel();
      call.signal?.addEventListener('abort', cancel);
      try {
        call.signal?.throwIfAborted();
        for await (const json of running as AsyncIterable<unknown>) yield { json };
      } catch (error) {
        call.signal?.throwIfAborted();
        throw fromGrpcError(error);
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
  const security = target.secure ? credentials.createSsl() : credentials.createInsecure();
  return new Client(`${scheme}:${endpoints.join(',')}`, security, options);
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
    throw fromGrpcError(error);
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}
