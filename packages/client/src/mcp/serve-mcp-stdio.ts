import { type Readable, Transform, type TransformCallback, type Writable } from 'node:stream';
import { isObject } from '@holdword/protocol/internal';
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
  const messages = new MessageLines(output, (problem) => onError?.(new Error(problem)));
  input.once('close', () => messages.destroy());
  input.pipe(messages);
  const handle = serveStdio(({ era }) => server.open({ caller: 'stdio', era }), {
    // The lines are bounded already, and come one at a time.
    transport: new StdioServerTransport(messages, output, { maxBufferSize: 2 * MAX_LINE_BYTES }),
    ...(onError && { onerror: (error) => onError(asSentence(error)) }),
  });
  return {
    ended,
    async close() {
      input.unpipe(messages);
      await handle.close();
      await server.close();
    },
  };
}

/** More than a message with a large file has; what a host sends beyond it is not kept in memory. */
const MAX_LINE_BYTES = 10 * 1024 * 1024;
const NEWLINE = 0x0a;

interface RpcError {
  readonly code: number;
  readonly message: string;
}

/**
 * Passes on the lines that may be messages, one at a time.
 *
 * Responsible for bounded memory, and for a server that outlives what it cannot read: a line that is too long, or no JSON-RPC, is
 * dropped and answered with an error. Its id is unknown, so the answer has none.
 */
class MessageLines extends Transform {
  readonly #output: Writable;
  readonly #onProblem: (problem: string) => void;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(output: Writable, onProblem: (problem: string) => void) {
    super();
    this.#output = output;
    this.#onProblem = onProblem;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let start = 0;
    let isTaken = true;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#take(chunk.subarray(start, end));
      isTaken = this.#endLine() && isTaken;
      start = end + 1;
    }
    this.#take(chunk.subarray(start));
    // A host that sends garbage and reads no answers waits until it does.
    if (isTaken) done();
    else this.#output.once('drain', () => done());
  }

  #take(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length <= MAX_LINE_BYTES) this.#chunks.push(piece);
    else this.#chunks = [];
  }

  /** Returns false if the output takes no more for now. */
  #endLine(): boolean {
    const line = Buffer.concat(this.#chunks);
    const length = this.#length;
    this.#chunks = [];
    this.#length = 0;
    if (length > MAX_LINE_BYTES) return this.#reject(TOO_LONG, TOO_LONG_LINE);
    if (line.length < 100 && line.toString().trim() === '') return true;
    const problem = problemWith(line);
    if (problem !== undefined) return this.#reject(problem, NO_MESSAGE);
    this.push(Buffer.concat([line, Buffer.of(NEWLINE)]));
    return true;
  }

  #reject(error: RpcError, problem: string): boolean {
    this.#onProblem(problem);
    return this.#output.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`);
  }
}

const TOO_LONG: RpcError = {
  code: -32_600,
  message: `The message is larger than ${MAX_LINE_BYTES} bytes. Send less, or name files by URL.`,
};
const TOO_LONG_LINE = `ignored a line on standard input that is longer than ${MAX_LINE_BYTES} bytes.`;
const NO_MESSAGE =
  'ignored a line on standard input that is not an MCP message: expected an object of JSON-RPC 2.0.';

function problemWith(line: Buffer): RpcError | undefined {
  try {
    const value: unknown = JSON.parse(line.toString());
    return isMessage(value)
      ? undefined
      : { code: -32_600, message: 'The message is not a request, notification or response of JSON-RPC 2.0.' };
  } catch {
    return { code: -32_700, message: 'The message is not valid JSON.' };
  }
}

function isMessage(value: unknown): boolean {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return false;
  return typeof value['method'] === 'string' || 'result' in value || 'error' in value;
}

/** The text of an error about a message that breaks the schema is a dump of the schema. */
function asSentence(error: Error): Error {
  return error.name === 'ZodError' ? new Error(NO_MESSAGE, { cause: error }) : error;
}
