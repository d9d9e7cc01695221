import type { IncomingMessage, ServerResponse } from 'node:http';
import { startWebServer, type WebServer } from '@holdword/client/testing';

/** A call of JSON-RPC as it arrived, and where its answer goes. */
export interface RpcCall {
  readonly id: unknown;
  readonly method: string;
  readonly params: unknown;
  readonly response: ServerResponse;
}

export interface HostilePeerOptions {
  /** Everything but the card. */
  readonly answer?: (call: RpcCall) => void;
  /** Merged into a card that is in order. */
  readonly card?: Readonly<Record<string, unknown>>;
  /** In place of a card. */
  readonly answerCard?: (response: ServerResponse, origin: string) => void;
}

/** An agent that does to its callers what a test says. It speaks A2A 1.0 with JSON-RPC and says that it streams. */
export async function startHostilePeer(options: HostilePeerOptions): Promise<WebServer> {
  const { answer = () => {}, card, answerCard = sendCard } = options;
  const server = await startWebServer((request, response) => {
    if (request.method === 'GET') answerCard(response, server.origin);
    else void readCall(request).then((call) => answer({ ...call, response }));
  });
  function sendCard(response: ServerResponse, origin: string): void {
    response.end(JSON.stringify({ ...soundCard(origin), ...card }));
  }
  return server;
}

export function soundCard(origin: string): Record<string, unknown> {
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

async function readCall(request: IncomingMessage): Promise<Omit<RpcCall, 'response'>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** Answers a call with a result. */
export function answerWith({ id, response }: RpcCall, result: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

/** Begins a stream, and gives what adds an event to it. */
export function beginStream({ id, response }: RpcCall): (result: unknown) => boolean {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  return (result) => response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
}

export function taskWith(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { id: 'task-1', contextId: 'context-1', status: { state: 'TASK_STATE_COMPLETED' }, ...fields };
}
