import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { noopLog } from '@holdword/runtime/internal';
import { onTestFinished } from 'vitest';
import { startAccount } from '../channel/start-account.ts';
import { readAccounts } from '../config/read-accounts.ts';
import { RoutedHost } from './routed-host.ts';
import { answer, type TurnScript } from './scripted-host.ts';

export interface ServedScriptedAccount {
  readonly host: RoutedHost;
  readonly url: string;
  /** Calls a method of JSON-RPC, of 1.0 unless the headers say otherwise, as a caller without a credential. */
  readonly call: (method: string, params: unknown, options?: CallOptions) => Promise<RpcAnswer>;
  /** The HTTP status of a call with any headers, also those that a browser and fetch keep to themselves. */
  readonly statusFor: (headers: Record<string, string>) => Promise<number>;
}

export interface CallOptions {
  readonly path?: string;
  readonly headers?: Record<string, string>;
}

/** The status and the body of an answer; the body of a stream is the list of what its events hold. */
export interface RpcAnswer {
  readonly status: number;
  readonly result?: unknown;
  readonly error?: { code: number; message: string; data?: unknown };
  readonly stream?: readonly { result?: unknown }[];
}

/** The agent says back what it was told. */
export const echo: TurnScript = (turn) => answer(turn, `You said: ${turn.text}`);

/** A whole account on a host that does what a script says, reached over HTTP. */
export async function serveScriptedAccount(
  section: object,
  script: TurnScript = echo,
): Promise<ServedScriptedAccount> {
  const [entry] = readAccounts(section);
  if (entry?.config === undefined) throw new Error(entry?.problems.join('\n') ?? 'Expected an account.');
  const host = await RoutedHost.start(script);
  const account = await startAccount({ config: entry.config, host, log: noopLog });
  onTestFinished(async () => {
    await account.stop({ graceMilliseconds: 0 });
    await host.close();
  });
  const { config } = entry;
  return {
    host,
    url: host.url,
    call: (method, params, { path = config.jsonRpcPath, headers = {} } = {}) =>
      callRpc(`${host.url}${path}`, method, params, { 'A2A-Version': '1.0', ...headers }),
    statusFor: async (headers) => {
      const call = request(`${host.url}${config.jsonRpcPath}`, { method: 'POST', headers });
      call.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'unknown' } }));
      const [response] = (await once(call, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode ?? 0;
    },
  };
}

/** The section of one account, which may be reached without a proxy. */
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
