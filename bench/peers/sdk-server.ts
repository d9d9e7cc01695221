import { createServer } from 'node:http';
import { AgentCard } from '@a2a-js/sdk';
import { DefaultRequestHandler, type TaskStore } from '@a2a-js/sdk/server';
import { jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { listenAndAnnounce } from './listen-and-announce.ts';
import { sdkExecutor } from './sdk-executor.ts';

/** The SDK as in its documentation: the default handler behind Express, on the given store. */
export async function serveSdk(store: TaskStore): Promise<void> {
  const card = AgentCard.fromJSON({
    name: 'bench',
    description: 'Echo and count.',
    version: '1.0.0',
    supportedInterfaces: [
      { url: 'http://127.0.0.1/a2a/jsonrpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ],
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
  });
  const requestHandler = new DefaultRequestHandler(card, store, sdkExecutor);
  const application = express();
  application.use(
    '/a2a/jsonrpc',
    jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }),
  );
  await listenAndAnnounce(createServer(application));
}
