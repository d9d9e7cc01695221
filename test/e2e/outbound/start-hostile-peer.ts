import type { IncomingMessage, ServerResponse } from 'node:http';
import { startWebServer, type WebServer } from '@holdword/client/testing';

/** A received JSON-RPC request, and the response to write to. */
export interface RpcRequest {
  readonly id: unknown;
  readonly method: string;
  readonly params: unknown;
  readonly response: ServerResponse;
}

export interface HostilePeerOptions {
  /** Handles every request except the card. */
  readonly answer?: (request: RpcRequest) => void;
  /** Merged into a valid card. */
  readonly card?: Readonly<Record<string, unknown>>;
  /** Replaces the card. */
  readonly answerCard?: (response: ServerResponse, origin: string) => void;
}

/** An agent that misbehaves as the test says. It speaks A2A 1.0 over JSON-RPC and declares streaming. */
export async function startHostilePeer(options: HostilePeerOptions): Promise<WebServer> {
  const { answer = () => {}, card, answerCard = sendCard } = options;
  const server = await startWebServer((request, response) => {
    if (request.method === 'GET') answerCard(response, server.origin);
    else void readRequest(request).then((received) => answer({ ...received, response }));
  });
  function sendCard(response: ServerResponse, origin: string): void {
    response.end(JSON.stringify({ ...validCard(origin), ...card }));
  }
  return server;
}

export function validCard(origin: string): Record<string, unknown> {
  return {
    name: 'Hostile agent',
    description: 'Means no good.',
    version: '1.0.0',
    supportedInterfaces: [{ url: `${origin}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  };
}

async function readRequest(request: IncomingMessage): Promise<Omit<RpcRequest, 'response'>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** Sends a result. */
export function answerWith({ id, response }: RpcRequest, result: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

/** Starts a stream and returns a function that adds an event. */
export function beginStream({ id, response }: RpcRequest): (result: unknown) => boolean {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  return (result) => response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
}

export function taskWith(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { id: 'task-1', contextId: 'context-1', status: { state: 'TASK_STATE_COMPLETED' }, ...fields };
}
