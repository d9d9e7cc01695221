import type { z } from 'zod';
import type { Executor } from '../executors/executor.ts';
import type { AgentServer } from './agent-server.ts';
import { answerDirectly } from './answer-directly.ts';
import { readOptions } from './read-options.ts';

/** One of the agents that Holdword can serve: what it is called, what it takes, and how it is opened. */
export interface AgentKind {
  /** As in `holdword serve --agent NAME`. */
  readonly name: string;
  readonly summary: string;
  /** Published as part of the configuration's schema. */
  readonly options: z.ZodObject;
  /** The option that may stand behind the name: `exec:"wc -w"` says what the command is. */
  readonly mainOption?: string;
  /** Checks the options, and opens the agent. What an earlier server left running has ended when this resolves. */
  open(options: Readonly<Record<string, unknown>>, server: AgentServer): Promise<OpenedAgent>;
}

export interface OpenedAgent {
  readonly executor: Executor;
  /** How the agent is reached, for kinds with more than one transport: `gateway` or `command line`. */
  readonly transport?: string;
}

interface AgentDefinition<Options> extends Omit<AgentKind, 'options' | 'open'> {
  readonly options: z.ZodObject & z.ZodType<Options>;
  open(options: Options, server: AgentServer): Promise<OpenedAgent>;
}

export function defineAgent<Options extends { asyncMode?: boolean }>(
  definition: AgentDefinition<Options>,
): AgentKind {
  return {
    ...definition,
    async open(given, server) {
      const options = readOptions<Options>(definition.name, definition.options, given);
      const opened = await definition.open(options, server);
      return options.asyncMode === false ? { ...opened, executor: answerDirectly(opened.executor) } : opened;
    },
  };
}
