import type { Readable, Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import {
  checkArgument,
  checkOptions,
  hasMethods,
  isFunction,
  type OptionCheck,
} from '../basics/check-options.ts';
import { isToolServer, type McpToolServer } from './mcp-tool-server.ts';

/** Options of {@link serveMcpStdio}. */
export interface McpStdioOptions {
  /** Usually `process.stdin`. */
  input: Readable;
  /** Usually `process.stdout`. Nothing else may be written to it. */
  output: Writable;
  /** Called for messages that could not be read or answered. */
  onError?: ((error: Error) => void) | undefined;
}

/** A running MCP server over standard input and output. */
export interface StdioMcp {
  /** Resolves when the host has disconnected. */
  readonly ended: Promise<void>;
  /** Stops the server. Resolves when pending cancellations have been delivered. */
  close(): Promise<void>;
}

/**
 * Serves MCP over standard input and output, to the host that started this program.
 *
 * @example
 * ```ts
 * import { A2AAgents, A2ASession, A2ATools } from '@holdword/client';
 * import { McpToolServer, serveMcpStdio } from '@holdword/client/mcp';
 *
 * const tools = new A2ATools(new A2ASession(new A2AAgents('./agents.json')));
 * const server = new McpToolServer({ tools, version: '1.0.0' });
 * serveMcpStdio(server, { input: process.stdin, output: process.stdout });
 * ```
 */
export function serveMcpStdio(server: McpToolServer, options: McpStdioOptions): StdioMcp {
  const call = 'serveMcpStdio(server, options)';
  checkArgument(call, 'server', server, isToolServer);
  checkOptions(call, options, {
    input: hasMethods(['on', 'read'], 'a readable stream, such as process.stdin'),
    output: hasMethods(['on', 'write'], 'a writable stream, such as process.stdout'),
    onError: isFunction,
  } satisfies Record<keyof McpStdioOptions, OptionCheck>);
  const { input, output, onError } = options;
  const ended = new Promise<void>((resolve) => {
    if (input.readableEnded || input.destroyed) resolve();
    input.once('end', () => resolve());
    input.once('close', () => resolve());
    output.once('close', () => resolve());
    output.once('error', () => resolve());
  });
  const handle = serveStdio(({ era }) => server.open({ caller: 'stdio', era }), {
    transport: new StdioServerTransport(input, output),
    ...(onError && { onerror: (error) => onError(asSentence(error)) }),
  });
  return {
    ended,
    async close() {
      await handle.close();
      await server.close();
    },
  };
}

/** The text of an error about a message that breaks the schema is a dump of the schema. */
function asSentence(error: Error): Error {
  if (error.name !== 'ZodError') return error;
  return new Error(
    'ignored a line on standard input that is not an MCP message: expected an object of JSON-RPC 2.0.',
    { cause: error },
  );
}
