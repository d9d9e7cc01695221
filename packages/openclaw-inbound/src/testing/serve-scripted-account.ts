import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text as readAll } from 'node:stream/consumers';
import { noopLog } from '@holdword/runtime/internal';
import { onTestFinished } from 'vitest';
import { startAccount } from '../channel/run-account.ts';
import { readAccounts } from '../config/read-accounts.ts';
import { RoutedHost } from './routed-host.ts';
import { answer, type TurnScript } from './scripted-host.ts';

export interface ServedScriptedAccount {
  readonly host: RoutedHost;
  readonly url: string;
  /** Calls a JSON-RPC method, by default of A2A 1.0 and as an anonymous caller. */
  readonly call: (method: string, params: unknown, options?: CallOptions) => Promise<RpcAnswer>;
  /** The HTTP status of a request with any headers, including those that fetch does not allow. */
  readonly statusFor: (headers: Record<string, string>) => Promise<number>;
  /** The body of the response to such a request. */
  readonly textFor: (headers: Record<string, string>) => Promise<string>;
}

export interface CallOptions {
  readonly path?: string;
  readonly headers?: Record<string, string>;
}

/** The status and the body of a response; for a stream, the data of its events. */
export interface RpcAnswer {
  readonly status: number;
  readonly result?: unknown;
  readonly error?: { code: number; message: string; data?: unknown };
  readonly stream?: readonly { result?: unknown }[];
}

/** The agents of the scripted gateway. */
const AGENTS = [{ id: 'main' }, { id: 'clerk' }];

/** The agent repeats the message. */
export const echo: TurnScript = (turn) => answer(turn, `You said: ${turn.text}`);

/** A complete account on a scripted host, served over HTTP. */
export async function serveScriptedAccount(
  section: object,
  script: TurnScript = echo,
): Promise<ServedScriptedAccount> {
  const [entry] = readAccounts(section, AGENTS);
  if (entry?.config === undefined) throw new Error(entry?.problems.join('\n') ?? 'Expected an account.');
  const host = await RoutedHost.start(script);
  const account = await startAccount({ config: entry.config, host, log: noopLog });
  onTestFinished(async () => {
    await account.stop({ graceMilliseconds: 0 });
    await host.close();
  });
  const { config } = entry;
  const respond = async (headers: Record<string, string>): Promise<IncomingMessage> => {
    const call = request(`${host.url}${config.jsonRpcPath}`, { method: 'POST', headers });
    call.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'unknown' } }));
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    return response;
  };
  return {
    host,
    url: host.url,
    call: (method, params, { path = config.jsonRpcPath, headers = {} } = {}) =>
      callRpc(`${host.url}${path}`, method, params, { 'A2A-Version': '1.0', ...headers }),
    statusFor: async (headers) => {
      const response = await respond(headers);
      response.resume();
      return response.statusCode ?? 0;
    },
    textFor: async (headers) => readAll(await respond(headers)),
  };
}

/** A `channels.a2a` section with one account. */
export function sectionOf(account: object = {}): object {
  return { accounts: { default: { publicBaseUrl: 'https://agents.example.com', ...account } } };
}

export function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

export async function callRpc(
  url: string,
  method: string,
  params: unknown,
  headers: Record<string, string>,
): Promise<RpcAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { status } = response;
  const body = await response.text();
  if (response.headers.get('content-type') !== 'text/event-stream') return { status, ...JSON.parse(body) };
  const events = body.split('\n').filter((line) => line.startsWith('data: '));
  return { status, stream: events.map((line) => JSON.parse(line.slice('data: '.length)) as object) };
}
