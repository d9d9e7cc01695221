import { nearestName } from '@holdword/protocol/internal';
import {
  demoAgent,
  isAgentOptionsError,
  type AgentServer,
  type OpenedAgent,
} from '@holdword/runtime/internal';
import { AGENT_KINDS, findAgentKind } from '@holdword/runtime/internal/settings';
import type { Store } from '@holdword/store';
import { isModulePath, RESPONDER, type Config } from '../config/config-schema.ts';
import { UsageError } from '../usage-error.ts';
import { loadAgentModule, requireModule } from './load-agent-module.ts';

/** What an agent is opened with: the server, and the store with the data of the hub. */
export interface AgentDependencies extends AgentServer {
  readonly store: Store;
}

/** An agent that is known, to be opened once its server has started. */
export interface LoadedAgent {
  /** The kind of agent that `--agent` named; absent for modules and built-in agents. */
  readonly name?: string;
  open(server: AgentDependencies): Promise<OpenedAgent>;
}

/** The agent that `--agent` names: a built-in agent, a kind of agent, or the default export of a module. */
export async function loadAgent({
  agent,
  agentOptions,
}: Pick<Config, 'agent' | 'agentOptions'>): Promise<LoadedAgent> {
  if (agent === 'demo') return { open: async () => ({ executor: demoAgent }) };
  if (agent === RESPONDER) {
    const { createResponder } = await import('@holdword/hub');
    return { open: async ({ store }) => ({ executor: createResponder({ store }) }) };
  }
  const named = findAgentKind(agent);
  if (named !== undefined) {
    const { kind, options } = named;
    return {
      name: kind.name,
      open: (server) => kind.open({ ...agentOptions[kind.name], ...options }, server),
    };
  }
  if (!isModulePath(agent)) throw unknownName(agent);
  const executor = await loadAgentModule(agent);
  return { open: async () => ({ executor }) };
}

/**
 * Rejects an agent that does not exist or has invalid options, without loading or opening it. `file` is where the user can set
 * them.
 */
export function checkAgent(
  { agent, agentOptions }: Pick<Config, 'agent' | 'agentOptions'>,
  file: string,
): void {
  if (agent === 'demo' || agent === RESPONDER) return;
  if (isModulePath(agent)) return requireModule(agent);
  const named = findAgentKind(agent);
  if (named === undefined) throw unknownName(agent);
  try {
    named.kind.check({ ...agentOptions[named.kind.name], ...named.options });
  } catch (error) {
    if (!isAgentOptionsError(error)) throw error;
    throw new UsageError(error.message.replace('the configuration file', () => file));
  }
}

function unknownName(agent: string): UsageError {
  const names = ['demo', RESPONDER, ...AGENT_KINDS.map(({ name }) => name)];
  const [given = ''] = agent.split(':');
  const nearest = nearestName(given, names);
  if (nearest === given) {
    return new UsageError(`Agent ${given} does not take a value after its name. Use: --agent ${given}`);
  }
  return new UsageError(
    `Unknown agent "${given}".${nearest === undefined ? '' : ` Did you mean "${nearest}"?`} ` +
      `Available agents: ${names.join(', ')}. To serve a module, give its path, for example ./${given}.ts`,
  );
}
