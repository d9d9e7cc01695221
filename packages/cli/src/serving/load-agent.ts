import { nearestName } from '@holdword/protocol/internal';
import {
  AGENT_KINDS,
  demoAgent,
  findAgentKind,
  type AgentServer,
  type OpenedAgent,
} from '@holdword/runtime/internal';
import type { Store } from '@holdword/store';
import type { Config } from '../config/config-schema.ts';
import { isModulePath } from '../config/resolve-config.ts';
import { UsageError } from '../usage-error.ts';
import { loadAgentModule } from './load-agent-module.ts';

/** Answers for the hub where no other agent does. */
export const RESPONDER = 'responder';

/** What an agent finds: the server, and the store with what the hub keeps. */
export interface AgentDependencies extends AgentServer {
  readonly store: Store;
}

/** An agent that was found, to be opened when its server is there. */
export interface LoadedAgent {
  /** What `--agent` named; absent where the agent's own name says enough. */
  readonly name?: string;
  open(server: AgentDependencies): Promise<OpenedAgent>;
}

/** The agent behind `--agent`: one that Holdword knows by its name, or the default export of a module. */
export async function loadAgent({ agent = 'demo', agentOptions = {} }: Config): Promise<LoadedAgent> {
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

function unknownName(agent: string): UsageError {
  const names = ['demo', RESPONDER, ...AGENT_KINDS.map(({ name }) => name)];
  const [given = ''] = agent.split(':');
  const nearest = nearestName(given, names);
  if (nearest === given)
    return new UsageError(`The agent ${given} takes nothing behind its name: --agent ${given}`);
  return new UsageError(
    `There is no agent "${given}"${nearest === undefined ? '.' : `, did you mean "${nearest}"?`} ` +
      `Holdword knows ${names.join(', ')}. A module of your own is named by its path: ./${given}.ts`,
  );
}
