import { nearestName } from '@holdword/protocol/internal';
import { AGENT_KINDS } from '../agents/agent-kinds.ts';
import { findAgentKind } from '../agents/find-agent-kind.ts';
import { splitOptions, type AdapterSetup } from './adapter-setup.ts';
import { AgentAdapter } from './agent-adapter.ts';
import { OpenClawAgentAdapter } from './openclaw-agent-adapter.ts';

/** Which agent, its options by their names or by those with underscores, and how its tasks are kept. */
export interface LoadAgentOptions extends AdapterSetup {
  /** `openclaw`, `claude-code`, `exec:wc -w`, …: as in `holdword serve --agent`. */
  adapter: string;
  [option: string]: unknown;
}

/** Starts an agent. Rejects when it is not known, or its options are not as they must be. */
export async function loadAgent({ adapter: name, ...given }: LoadAgentOptions): Promise<AgentAdapter> {
  const named = findAgentKind(name);
  if (named === undefined) throw unknownAdapter(name);
  const { kind, options: behindName } = named;
  const { setup, options } = splitOptions(given);
  const adapter = kind.name.startsWith('openclaw')
    ? new OpenClawAgentAdapter(given, kind)
    : new AgentAdapter({ kind, setup, options: { ...options, ...behindName } });
  try {
    await adapter.start();
  } catch (error) {
    await adapter.close();
    throw error;
  }
  return adapter;
}

function unknownAdapter(name: string): Error {
  const names = AGENT_KINDS.map((kind) => kind.name);
  const nearest = nearestName(name, names);
  return new Error(
    `There is no adapter "${name}"${nearest === undefined ? '.' : `, did you mean "${nearest}"?`} ` +
      `There are ${names.join(', ')}.`,
  );
}
