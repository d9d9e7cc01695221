import { McpServer } from '@modelcontextprotocol/server';
import type { A2ATools } from '../tools/a2a-tools.ts';
import { registerAgentList } from './resources/register-agent-list.ts';
import { registerArtifacts } from './resources/register-artifacts.ts';
import { SeenArtifacts } from './resources/seen-artifacts.ts';
import { registerTools } from './tools/register-tools.ts';
import { RemoteCancellations } from './tools/remote-cancellations.ts';

/** Options of {@link McpToolServer}. */
export interface McpToolServerOptions {
  /** The tools to serve. */
  tools: A2ATools;
  /** Version of the serving program, shown to hosts. */
  version: string;
  /**
   * Whether canceling a tool call also cancels the agent's task. If false, the agent keeps working.
   * @default false
   */
  cancelTasks?: boolean | undefined;
}

const INSTRUCTIONS =
  'These tools let you work with other agents. Find an agent with getAgents, give it work with sendMessage, and wait ' +
  'for long-running work with getTask. Large artifacts are minimized: view them with viewTextArtifact and ' +
  'viewDataArtifact. Artifacts can also be read in full as resources: a2a://agent/task/artifact.';

/**
 * An MCP server whose tools call other A2A agents. Serve it with {@link serveMcpStdio} or {@link serveMcpHttp}.
 *
 * Responsible for the state that all connections share: the tools, recently returned artifacts, and cancellations in
 * flight. Each connection gets its own server of the MCP SDK. Leaves transports to `serveMcpStdio` and `serveMcpHttp`.
 *
 * @example
 * ```ts
 * import { A2AAgents, A2ASession, A2ATools } from '@holdword/client';
 * import { McpToolServer, serveMcpStdio } from '@holdword/client/mcp';
 *
 * const session = new A2ASession(new A2AAgents('./agents.json'));
 * const server = new McpToolServer({ tools: new A2ATools(session), version: '1.0.0' });
 * const host = serveMcpStdio(server, { input: process.stdin, output: process.stdout });
 * await host.ended;
 * await host.close();
 * ```
 */
export class McpToolServer {
  readonly #tools: A2ATools;
  readonly #version: string;
  readonly #seen = new SeenArtifacts();
  readonly #cancellations: RemoteCancellations | undefined;

  constructor({ tools, version, cancelTasks = false }: McpToolServerOptions) {
    this.#tools = tools;
    this.#version = version;
    this.#cancellations = cancelTasks ? new RemoteCancellations(tools.session) : undefined;
  }

  /** A server for one connection. */
  open(): McpServer {
    const server = new McpServer(
      { name: 'holdword', title: 'Agents over A2A', version: this.#version },
      { instructions: INSTRUCTIONS },
    );
    registerTools(server, this.#tools, { seen: this.#seen, cancellations: this.#cancellations });
    registerAgentList(server, this.#tools);
    registerArtifacts(server, this.#tools.session, this.#seen);
    return server;
  }

  /** Resolves when all cancellations in flight have been delivered or have failed. */
  async settled(): Promise<void> {
    await this.#cancellations?.settled();
  }
}
