import type { Readable, Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { McpToolServer } from './mcp-tool-server.ts';

export interface McpStdioOptions {
  input: Readable;
  /** Nothing but messages of MCP may be written to it. */
  output: Writable;
  /** Told of messages that could not be read or answered. */
  onError?: ((error: Error) => void) | undefined;
}

export interface StdioMcp {
  /** Resolves when the host has left. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Serves MCP to the host that started this program, over its input and output. */
export function serveMcpStdio(server: McpToolServer, options: McpStdioOptions): StdioMcp {
  const { input, output, onError } = options;
  const ended = new Promise<void>((resolve) => {
    if (input.readableEnded || input.destroyed) resolve();
    input.once('end', () => resolve());
    input.once('close', () => resolve());
    output.once('close', () => resolve());
    output.once('error', () => resolve());
  });
  const handle = serveStdio(() => server.open(), {
    transport: new StdioServerTransport(input, output),
    ...(onError && { onerror: onError }),
  });
  return {
    ended,
    async close() {
      await handle.close();
      await server.settled();
    },
  };
}
