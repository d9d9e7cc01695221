import { once } from 'node:events';
import { createServer } from 'node:net';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { listenError } from '@holdword/net/internal';
import type { ProtocolVersion } from '@holdword/protocol';
import { coreErrorToV03, OWN_EXTENSIONS } from '@holdword/protocol/internal';
import {
  decodeLegacyGrpcRequest,
  decodeSdkRequest,
  ServerCallContext,
  type ServerCallContextBuilder,
} from '@holdword/protocol/internal/sdk';
import {
  A2AService,
  grpcService,
  LegacyA2AService,
  legacyGrpcService,
} from '@holdword/protocol/internal/grpc';
import { DEFAULT_LIMITS } from '../../defaults.ts';
import type { Log } from '../../log.ts';
import type { Observer } from '../../observe/observer.ts';
import { hostAndPort } from '../addresses.ts';
import type { Admission } from '../admission.ts';
import type { Authentication } from '../auth/authentication.ts';
import type { Limits } from '../limits.ts';
import type { DispatchTarget } from '../dispatch.ts';
import { createSdkRequestHandler } from '../sdk-request-handler.ts';
import { sessionOf } from '../sdk-session.ts';
import { FailedCalls } from './failed-calls.ts';
import type { GrpcSurroundings } from './grpc-session.ts';
import { sessionOpener } from './open-session.ts';
import { withReadableRequests } from './readable-requests.ts';

export interface GrpcServerOptions extends DispatchTarget {
  host: string;
  /** The port; 0 picks a free one. */
  port: number;
  authentication: Authentication;
  admission: Admission;
  limits?: Limits;
  log: Log;
  observer: Observer;
}

export interface GrpcServer {
  readonly port: number;
  /** Accepts no more calls, ends streams, waits for calls in progress, and closes them after the grace period. */
  close(graceMilliseconds: number): Promise<void>;
}

/** Serves the operations over gRPC, with the services of A2A 1.0 and 0.3. */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const { host, authentication, admission, log, observer } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const stopping = new AbortController();
  const around: GrpcSurroundings = {
    failedCalls: new FailedCalls(log),
    admission,
    observer,
    stalledStreamSeconds: limits.stalledStreamSeconds,
    stopping: stopping.signal,
  };
  const server = new Server({
    'grpc.max_receive_message_length': limits.bodyBytes,
    'grpc.keepalive_time_ms': limits.keepAliveSeconds * 1000,
    interceptors: [around.failedCalls.interceptor],
  });
  server.addService(
    withReadableRequests(A2AService),
    grpcService({
      requestHandler: createSdkRequestHandler({ ...options, decode: decodeSdkRequest }),
      userBuilder: sessionOpener('1.0', authentication, around),
      contextBuilder: contextBuilder('1.0'),
    }),
  );
  server.addService(
    withReadableRequests(LegacyA2AService),
    legacyGrpcService({
      requestHandler: createSdkRequestHandler({
        ...options,
        decode: decodeLegacyGrpcRequest,
        explain: (error, operation) => coreErrorToV03(error, { wire: 'GRPC', operation }),
      }),
      userBuilder: sessionOpener('0.3', authentication, around),
      contextBuilder: contextBuilder('0.3'),
    }),
  );
  const port = await bind(server, host, options.port);
  return {
    port,
    async close(graceMilliseconds) {
      stopping.abort();
      const cutOff = setTimeout(() => server.forceShutdown(), graceMilliseconds);
      await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      clearTimeout(cutOff);
    },
  };
}

async function bind(server: Server, host: string, port: number): Promise<number> {
  const refused = (error: unknown): Error => listenError(error, host, port, 'gRPC, --grpc-port');
  await tryPort(host, port).catch((error: unknown) => {
    throw refused(error);
  });
  return new Promise((resolve, reject) => {
    server.bindAsync(hostAndPort(host, port), ServerCredentials.createInsecure(), (error, boundPort) => {
      if (error) reject(refused(error));
      else resolve(boundPort);
    });
  });
}

/** The library prints a message itself if it cannot bind a port, so it is given a free one. */
async function tryPort(host: string, port: number): Promise<void> {
  const probe = createServer().listen(port, host);
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}

/** The session has checked the version; the SDK checks it again, in the form of the card. */
function contextBuilder(requestedVersion: ProtocolVersion): ServerCallContextBuilder {
  return ({ user }) => {
    const context = new ServerCallContext({ requestedVersion, ...(user && { user }) });
    const { extensions } = sessionOf(context).parameters;
    for (const uri of OWN_EXTENSIONS) if (extensions.has(uri)) context.addActivatedExtension(uri);
    return context;
  };
}
