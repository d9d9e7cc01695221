import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentCard } from '@a2a-js/sdk';
import { LegacyA2AService, legacyGrpcService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { A2AService, grpcService } from '@a2a-js/sdk/server/grpc';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { AgentInterface, ProtocolBinding, ProtocolVersion } from '@holdword/protocol';
import express from 'express';
import { onTestFinished } from 'vitest';
import { SdkScript } from './sdk-script.ts';

export interface SdkAgentOptions {
  /** The interfaces of the card, in this order. */
  interfaces: readonly { binding: ProtocolBinding; version: ProtocolVersion }[];
  streaming: boolean;
  /** See SdkScript. */
  isUndated?: boolean;
}

export interface SdkAgent {
  /** The URL of the card. */
  readonly url: string;
  readonly origin: string;
  readonly script: SdkScript;
  close(): Promise<void>;
}

const CARD_PATH = '/.well-known/agent-card.json';

/** Starts an agent on the official SDK. Closed when the test ends. */
export async function startSdkAgent(options: SdkAgentOptions): Promise<SdkAgent> {
  const agent = await openSdkAgent(options);
  onTestFinished(() => agent.close());
  return agent;
}

/** The official SDK's server, mounted as in its documentation, with all bindings and both versions. */
export async function openSdkAgent(options: SdkAgentOptions): Promise<SdkAgent> {
  const script = new SdkScript(options.isUndated);
  const application = express();
  const web = createServer(application);
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;

  const grpc = new Server();
  const grpcPort = await new Promise<number>((resolve, reject) => {
    grpc.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    );
  });

  const places: Record<ProtocolBinding, string> = {
    JSONRPC: `${origin}/rpc`,
    'HTTP+JSON': `${origin}/rest`,
    GRPC: `127.0.0.1:${grpcPort}`,
  };
  const supportedInterfaces: AgentInterface[] = options.interfaces.map(({ binding, version }) => ({
    url: places[binding],
    protocolBinding: binding,
    protocolVersion: version,
  }));
  const card = AgentCard.fromJSON({
    name: 'SDK agent',
    description: 'Does what the message says.',
    version: '1.0.0',
    supportedInterfaces,
    capabilities: { streaming: options.streaming },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'script', name: 'Script', description: 'Runs a script.', tags: ['test'] }],
  });
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), script);
  const common = { requestHandler, userBuilder: UserBuilder.noAuthentication };
  const withLegacy = { ...common, legacyCompat: { enabled: true } };
  application.use(CARD_PATH, agentCardHandler({ agentCardProvider: requestHandler, ...LEGACY }));
  application.use('/rpc', jsonRpcHandler(withLegacy));
  application.use('/rest', restHandler(withLegacy));
  grpc.addService(A2AService, grpcService(common));
  grpc.addService(LegacyA2AService, legacyGrpcService(common));

  const close = async (): Promise<void> => {
    grpc.forceShutdown();
    web.closeAllConnections();
    await new Promise((resolve) => web.close(resolve));
  };
  return { url: `${origin}${CARD_PATH}`, origin, script, close };
}

const LEGACY = { legacyCompat: { enabled: true } };
