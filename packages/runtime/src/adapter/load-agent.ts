import { describeValue, nearestName } from '@holdword/protocol/internal';
import { AGENT_KINDS, findAgentKind } from '../agents/agent-kinds.ts';
import { givenOptions } from '../agents/agent-options.ts';
import { AgentOptionsError } from '../executors/executor-errors.ts';
import { type AdapterSetup, splitOptions } from './adapter-setup.ts';
import { AgentAdapter } from './agent-adapter.ts';
import { OpenClawAgentAdapter } from './openclaw-agent-adapter.ts';

/** The agent, its options (in camelCase or with underscores), and where its tasks are stored. */
export interface LoadAgentOptions extends AdapterSetup {
  /** The kind of agent, as in `holdword serve --agent`: `openclaw`, `claude-code`, `exec:wc -w`, … */
  adapter: string;
  /** The options of the agent, as in the configuration of `holdword serve`. */
  [option: string]: unknown;
}

/**
 * Starts an agent of this machine by name.
 *
 * @example
 * ```ts
 * const agent = await loadAgent({ adapter: 'claude-code', model: 'sonnet', timeout: 600 });
 * const task = await agent.handle('Explain the file README.md');
 * await agent.close();
 * ```
 * @throws AgentOptionsError (code `agent-options`) if the agent is unknown or one of its options is invalid.
 */
export async function loadAgent(options: LoadAgentOptions): Promise<AgentAdapter> {
  const { adapter: name, ...given } = Object(options) as LoadAgentOptions;
  if (typeof name !== 'string') {
    throw new AgentOptionsError(
      `Expected a name in "adapter", found ${describeValue(options)}. Name one: loadAgent({ adapter: 'exec:wc -w' }).`,
    );
  }
  const named = findAgentKind(name);
  if (named === undefined) throw unknownAdapter(name);
  const { kind, options: fromName } = named;
  const { setup, options: own } = splitOptions(given);
  const twice = Object.keys(fromName).find((option) => givenOptions(own).has(option));
  if (twice !== undefined) {
    throw new AgentOptionsError(
      `The option ${twice} of agent ${kind.name} is given twice, in "${name}" as well. Remove one of them.`,
    );
  }
  const adapter = kind.name.startsWith('openclaw')
    ? new OpenClawAgentAdapter(given, kind)
    : new AgentAdapter({ kind, setup, options: { ...own, ...fromName } });
  try {
    await adapter.start();
  } catch (error) {
    await adapter.close();
    throw error;
  }
  return adapter;
}

function unknownAdapter(name: string): AgentOptionsError {
  const names = AGENT_KINDS.map((kind) => kind.name);
  const nearest = nearestName(name, names);
  return new AgentOptionsError(
    `Unknown adapter "${name}".${nearest === undefined ? '' : ` Did you mean "${nearest}"?`} ` +
      `Available adapters: ${names.join(', ')}.`,
  );
}
