import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { HoldwordProcess } from '@holdword/cli/testing';
import { onTestFinished } from 'vitest';
import type { Certificate } from '../client/make-certificate.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** What the doctor says about one thing. */
export interface Complaint {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'problem';
  readonly found: string;
  readonly side?: string;
  readonly fix?: string;
}

export interface Examination {
  readonly code: number | null;
  /** Everything that is not in order. */
  readonly complaints: readonly Complaint[];
  readonly checks: readonly string[];
}

export interface Setting {
  readonly words?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A folder that is deleted when the test ends, and is the home of nobody else. */
export async function makeHome(): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

/** Runs the doctor as a user does. */
export async function examine({ words = [], environment = {}, cwd }: Setting): Promise<Examination> {
  const home = cwd ?? (await makeHome());
  const doctor = new HoldwordProcess(['doctor', '--json', ...words], {
    cwd: home,
    environment: { HOME: home, ...environment },
  });
  const code = await doctor.ended;
  try {
    const { checks } = JSON.parse(doctor.stdout()) as { checks: Complaint[] };
    const complaints = checks.filter(({ status }) => status !== 'ok');
    return { code, complaints, checks: checks.map(({ check }) => check) };
  } catch {
    throw new Error(`The doctor printed no JSON:\n${doctor.output()}`);
  }
}

/** A server that answers as it is told, closed when the test ends. Resolves with its origin. */
export async function startServer(listener: RequestListener, certificate?: Certificate): Promise<string> {
  const server =
    certificate === undefined ? createServer(listener) : createTlsServer({ ...certificate }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return certificate === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`;
}

type Card = Readonly<Record<string, unknown>>;

/** A card with everything that the specification requires, of an agent at this address. */
export function cardAt(url: string): Card {
  return {
    name: 'Test agent',
    description: 'An agent for tests.',
    version: '1.0.0',
    supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'chat', name: 'Chat', description: 'Talks.', tags: ['chat'] }],
  };
}

export const BEARER = {
  securitySchemes: { key: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
  securityRequirements: [{ schemes: { key: { list: [] } } }],
};

interface AgentOptions {
  /** Changes the card of the agent at this address. */
  readonly card?: (url: string) => Promise<Card> | Card;
  /** Answers a request to the agent, in place of the usual answer. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => void;
  readonly files?: Readonly<Record<string, unknown>>;
  readonly certificate?: Certificate;
}

/** An agent that knows no task. */
export async function startAgent(options: AgentOptions = {}): Promise<string> {
  let card: Card = {};
  const answer = options.answer ?? unknownTask;
  const origin = await startServer((request, response) => {
    const file = request.url === '/.well-known/agent-card.json' ? card : options.files?.[request.url ?? ''];
    if (request.method === 'GET' && file !== undefined) return json(response, 200, file);
    request.resume();
    request.on('end', () => answer(request, response));
  }, options.certificate);
  card = (await options.card?.(origin)) ?? cardAt(origin);
  return origin;
}

function unknownTask(_request: IncomingMessage, response: ServerResponse): void {
  json(response, 200, { jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'Task not found' } });
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
