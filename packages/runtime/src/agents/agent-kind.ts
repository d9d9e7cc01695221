import type { Store } from '@holdword/store';
import type { z } from 'zod';
import type { Executor } from '../executors/executor.ts';
import type { Log } from '../log.ts';
import { checkFolder, readOptions } from './agent-options.ts';
import { answerDirectly } from './answer-directly.ts';

/** A kind of agent that Holdword can serve by name: its options, and how it is opened. */
export interface AgentKind {
  /** As in `holdword serve --agent NAME`. */
  readonly name: string;
  /** What it is, for help texts; not a sentence. */
  readonly summary: string;
  /** Published as part of the configuration schema. */
  readonly options: z.ZodObject;
  /** The option that can follow the name after a colon: in `exec:"wc -w"` it is the command. */
  readonly mainOption?: string;
  /**
   * Validates the options, without opening anything.
   *
   * @throws AgentOptionsError if an option is invalid.
   */
  check(options: Readonly<Record<string, unknown>>): void;
  /**
   * Validates the options and opens the agent. Processes that an earlier server left running have ended when it resolves.
   *
   * @throws AgentOptionsError if an option is invalid.
   */
  open(options: Readonly<Record<string, unknown>>, server: AgentServer): Promise<OpenedAgent>;
}

export interface OpenedAgent {
  readonly executor: Executor;
  /** How the agent is reached, for kinds with more than one transport: `gateway` or `command line`. */
  readonly transport?: string;
  /**
   * Why the agent cannot work at the moment, for its operator: a program that is not installed, an API key that is not set.
   * Resolves with undefined if it can, as far as that is known without a turn.
   */
  problem?(): Promise<string | undefined>;
}

interface AgentDefinition<Options> extends Omit<AgentKind, 'options' | 'open' | 'check'> {
  readonly options: z.ZodObject & z.ZodType<Options>;
  open(options: Options, server: AgentServer): Promise<OpenedAgent>;
}

export function defineAgent<Options extends { asyncMode: boolean }>(
  definition: AgentDefinition<Options>,
): AgentKind {
  return {
    ...definition,
    check: (given) => checkFolder(readOptions<Options>(definition, given)),
    async open(given, server) {
      const options = readOptions<Options>(definition, given);
      const opened = await definition.open(options, server);
      return options.asyncMode ? opened : { ...opened, executor: answerDirectly(opened.executor) };
    },
  };
}

/** What an agent needs from the server that runs it. */
export interface AgentServer {
  /** Where running processes are recorded, so that the next start can end those that a crash left running. */
  readonly processFolder: string;
  /** Stores which session of the agent belongs to which context. */
  readonly sessions: Pick<Store, 'getRecord' | 'putRecord' | 'deleteRecord'>;
  readonly log: Log;
}
