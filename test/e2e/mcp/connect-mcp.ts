import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { HoldwordProcess } from '@holdword/cli/testing';

const MAIN = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));

/** `legacy` is the 2025 revision of MCP, with a handshake; `auto` is its successor if the server supports it. */
export const ERAS = ['legacy', 'auto'] as const;
export type Era = (typeof ERAS)[number];

export const CARRIERS = ['stdio', 'http'] as const;
export type Carrier = (typeof CARRIERS)[number];

export interface McpConnection {
  readonly client: Client;
  /** Errors of the client while parsing messages. */
  readonly nonsense: readonly Error[];
  /** Closes the client and stops the program. */
  close(): Promise<void>;
}

/** Runs `holdword mcp` in a child process and connects the official MCP client to it. */
export async function connectMcp(
  words: readonly string[],
  { carrier, era }: { carrier: Carrier; era: Era },
): Promise<McpConnection> {
  const nonsense: Error[] = [];
  const client = Object.assign(
    new Client({ name: 'test-host', version: '1.0.0' }, { versionNegotiation: { mode: era } }),
    { onerror: (error: Error) => void nonsense.push(error) },
  );
  if (carrier === 'stdio') {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, 'mcp', ...words],
      env: { NODE_NO_WARNINGS: '1', PATH: process.env['PATH'] ?? '' },
      stderr: 'ignore',
    });
    await client.connect(transport);
    return { client, nonsense, close: () => client.close() };
  }
  const { holdword, url } = await startMcpOverHttp(words);
  await client.connect(new StreamableHTTPClientTransport(url));
  const close = async (): Promise<void> => {
    await client.close();
    await holdword.stop();
  };
  return { client, nonsense, close };
}

/** `holdword mcp` on a free port. */
export async function startMcpOverHttp(
  words: readonly string[],
  environment: Record<string, string> = {},
): Promise<{ holdword: HoldwordProcess; url: URL }> {
  const holdword = new HoldwordProcess(['mcp', '--http', '0', ...words], { environment });
  const [, url = ''] = await holdword.printed(/MCP server listening at (\S+)/);
  return { holdword, url: new URL(url) };
}

/** The result of a tool call. */
export function resultOf({ content }: CallToolResult): Record<string, unknown> {
  const [first] = content;
  if (first?.type !== 'text') throw new Error(`Expected a text, found ${JSON.stringify(content)}`);
  const result: Record<string, unknown> = JSON.parse(first.text);
  return result;
}
