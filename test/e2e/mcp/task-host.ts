import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import {
  createTaskSessionFromClient,
  type ApplicationElicitResult,
  type RawClientDispatch,
  type TaskEnabledSession,
} from '@modelcontextprotocol/ext-tasks/client';
import type { JsonValue } from '@modelcontextprotocol/ext-tasks/core';
import { onTestFinished } from 'vitest';
import { startMcpOverHttp, type Carrier } from './connect-mcp.ts';

const MAIN = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));
const CLIENT_INFO = { name: 'test-host', version: '1.0.0' };
const REVISION = '2026-07-28';

type Dispatched = Awaited<ReturnType<RawClientDispatch>>;

export interface TaskHost {
  readonly client: Client;
  /** The official client of the Tasks extension. */
  readonly session: TaskEnabledSession;
  /** Sends one request of the current revision as it is, with these client capabilities. */
  call(method: string, params: Record<string, JsonValue>, capabilities?: JsonValue): Promise<Dispatched>;
  /** Everything that was received for requests of the Tasks extension and for tool calls. */
  readonly received: readonly JsonValue[];
  /** Ends the server as `kill -9` does. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

export interface TaskHostOptions {
  readonly carrier: Carrier;
  readonly token?: string;
  /** Asks the user. */
  readonly onElicitation?: (params: Readonly<Record<string, JsonValue>>) => ApplicationElicitResult;
}

export const WITH_TASKS = {
  elicitation: { form: {}, url: {} },
  extensions: { 'io.modelcontextprotocol/tasks': {} },
};

/** `holdword mcp` in a child process, with the official clients of MCP and of its Tasks extension. */
export async function connectTaskHost(words: readonly string[], options: TaskHostOptions): Promise<TaskHost> {
  return openTaskHost(await startServer(words, options), options);
}

/** The official clients of MCP and of its Tasks extension, on a server that runs. */
export async function openTaskHost(
  { transport, kill }: { transport: Transport; kill: () => Promise<void> },
  options: Pick<TaskHostOptions, 'onElicitation'> = {},
): Promise<TaskHost> {
  const client = new Client(CLIENT_INFO, { versionNegotiation: { mode: 'auto' } });
  await client.connect(transport);
  const received: JsonValue[] = [];
  const dispatch = rawDispatch(transport, received);
  const session = createTaskSessionFromClient(client, {
    endpointId: 'holdword',
    rawDispatch: dispatch,
    v2RequestFraming: {
      protocolVersion: REVISION,
      clientInfo: CLIENT_INFO,
      clientCapabilities: { elicitation: WITH_TASKS.elicitation },
    },
    onInputRequest: async (request) =>
      (request.kind === 'elicitation'
        ? (options.onElicitation?.(request.params) ?? { action: 'cancel' })
        : { roots: [] }) as never,
  });
  const close = async (): Promise<void> => {
    await session.close();
    await client.close();
    await kill();
  };
  onTestFinished(close);
  return {
    client,
    session,
    received,
    kill,
    close,
    call: (method, params, capabilities = WITH_TASKS) =>
      dispatch({
        method,
        params: {
          ...params,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': REVISION,
            'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
            'io.modelcontextprotocol/clientCapabilities': capabilities,
          },
        },
      }),
  };
}

async function startServer(
  words: readonly string[],
  { carrier, token }: TaskHostOptions,
): Promise<{ transport: Transport; kill: () => Promise<void> }> {
  if (carrier === 'http') {
    const { holdword, url } = await startMcpOverHttp(
      words,
      token === undefined ? {} : { HOLDWORD_MCP_TOKEN: token },
    );
    const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    return {
      transport: new StreamableHTTPClientTransport(url, { requestInit: { headers } }),
      kill: () => holdword.kill(),
    };
  }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', ...words],
    env: { NODE_NO_WARNINGS: '1', PATH: process.env['PATH'] ?? '' },
    stderr: 'ignore',
  });
  return {
    transport,
    kill: async () => {
      if (transport.pid === null) return;
      process.kill(transport.pid, 'SIGKILL');
      await waitForExit(transport.pid);
    },
  };
}

async function waitForExit(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Requests beside those of the SDK's client, which does not accept a task as the result of a tool. */
function rawDispatch(transport: Transport, received: JsonValue[]): RawClientDispatch {
  const waiting = new Map<unknown, (answer: Dispatched) => void>();
  const { onmessage } = transport;
  Object.assign(transport, {
    onmessage: ((message, extra) => {
      const answer = 'id' in message ? waiting.get(message.id) : undefined;
      if (answer === undefined) onmessage?.(message, extra);
      else if ('result' in message) {
        received.push(message.result as JsonValue);
        answer({ kind: 'result', result: message.result as JsonValue });
      } else if ('error' in message) answer({ kind: 'error', error: message.error as never });
    }) satisfies Transport['onmessage'],
  });
  return async (request) => {
    const id = randomUUID();
    const { promise, resolve } = Promise.withResolvers<Dispatched>();
    waiting.set(id, resolve);
    await transport.send({ jsonrpc: '2.0', id, ...(request as { method: string }) });
    return promise;
  };
}
