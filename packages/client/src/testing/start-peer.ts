import { startWebServer } from './start-web-server.ts';
import type { JsonObject } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';

/** A request as the peer received it. */
export interface PeerRequest {
  readonly method: string;
  readonly params: JsonObject;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** How the peer responds: a result, an error, a stream of events, an HTTP status, or not at all. */
export type PeerAnswer =
  | { readonly result: unknown }
  | { readonly error: JsonObject }
  | { readonly events: readonly unknown[]; readonly end?: 'clean' | 'open' | 'cut' }
  | { readonly status: number; readonly text: string; readonly headers?: Readonly<Record<string, string>> }
  | 'no response';

export interface PeerOptions {
  readonly version?: '0.3' | '1.0' | '1.1';
  /** Overrides fields of the default card. */
  readonly card?: JsonObject;
  readonly cardPath?: string;
  readonly answer?: (call: PeerRequest) => PeerAnswer | Promise<PeerAnswer>;
  /** Reuse the port of an earlier peer. */
  readonly port?: number;
}

export interface Peer {
  /** With a trailing slash, as the tool writes it. */
  readonly url: string;
  readonly port: number;
  readonly calls: readonly PeerRequest[];
  /** How often the card was fetched. */
  readonly cardFetches: () => number;
}

/** A JSON-RPC agent that responds as the test says, closed when the test ends. */
export async function startPeer(options: PeerOptions = {}): Promise<Peer> {
  const {
    answer = () => ({ result: {} }),
    version = '0.3',
    cardPath = '/.well-known/agent-card.json',
  } = options;
  const calls: PeerRequest[] = [];
  let cardFetches = 0;
  const server = await startWebServer((request, response) => {
    const respond = async (): Promise<void> => {
      if (request.method === 'GET') {
        if (request.url !== cardPath) {
          response.writeHead(404).end();
          return;
        }
        cardFetches += 1;
        response.end(JSON.stringify({ ...defaultCard(server.origin, version), ...options.card }));
        return;
      }
      const { id, method, params } = asObject(JSON.parse(Buffer.concat(await request.toArray()).toString()));
      const call = { method: String(method), params: asObject(params), headers: request.headers };
      calls.push(call);
      const answered = await answer(call);
      if (answered === 'no response') return;
      if ('status' in answered) {
        response.writeHead(answered.status, answered.headers).end(answered.text);
        return;
      }
      response.setHeader('Content-Type', 'events' in answered ? 'text/event-stream' : 'application/json');
      if (!('events' in answered)) {
        response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answered }));
        return;
      }
      const { events, end = 'clean' } = answered;
      response.flushHeaders();
      for (const result of events)
        response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
      if (end === 'clean') response.end();
      if (end === 'cut') response.write('', () => response.destroy());
    };
    void respond();
  }, options.port);
  return {
    url: `${server.origin}/`,
    port: Number(new URL(server.origin).port),
    calls,
    cardFetches: () => cardFetches,
  };
}

function defaultCard(origin: string, version: '0.3' | '1.0' | '1.1'): JsonObject {
  const shared = {
    name: 'Support Agent',
    description: 'Summarize incidents and propose next actions.',
    version: '1.0.0',
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  };
  if (version === '0.3') {
    return { ...shared, protocolVersion: '0.3.0', url: `${origin}/rpc`, preferredTransport: 'JSONRPC' };
  }
  const supportedInterfaces = [
    { url: `${origin}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: version },
  ];
  return { ...shared, supportedInterfaces };
}
