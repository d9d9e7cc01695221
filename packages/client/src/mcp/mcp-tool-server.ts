import { McpServer } from '@modelcontextprotocol/server';
import type { A2ATools } from '../tools/a2a-tools.ts';
import { registerAgentList } from './resources/register-agent-list.ts';
import { registerArtifacts } from './resources/register-artifacts.ts';
import { SeenArtifacts } from './resources/seen-artifacts.ts';
import { registerTools } from './tools/register-tools.ts';
import { RemoteCancellations } from './tools/remote-cancellations.ts';

export interface McpToolServerOptions {
  tools: A2ATools;
  /** Of the program that serves, told to hosts. */
  version: string;
  /** Whether a call that a host cancels cancels the task of the agent too, or only the wait for it (default: only the wait). */
  cancelTasks?: boolean | undefined;
}

const INSTRUCTIONS =
  'These tools let you work with other agents. Find an agent with getAgents, give it work with sendMessage, and wait ' +
  'for work that takes long with getTask. Large artifacts are shortened: view them with viewTextArtifact and ' +
  'viewDataArtifact.';

/**
 * The tools of a model as an MCP server.
 *
 * Responsible for what all connections share: the tools, the artifacts that were seen, the tasks that are being canceled.
 * Every connection gets a server of the MCP SDK of its own. Leaves carrying messages to `serveMcpStdio` and
 * `serveMcpHttp`.
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

  /** Resolves when agents know of all that was canceled, or do not answer. */
  async settled(): Promise<void> {
    await this.#cancellations?.settled();
  }
}
