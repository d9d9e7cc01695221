import { checkArgument, hasMethods } from '@holdword/protocol/internal';
import { z } from 'zod';
import { type AgentDescription, descriptionOverridesSchema } from '../agent-description.ts';
import { serveRuntime, type ServedAgent, type ServeRuntimeOptions } from '../serve/serve-runtime.ts';
import type { AgentAdapter } from './agent-adapter.ts';

/** Where and how `serveAgent` serves an agent. */
export interface ServeAgentOptions extends Omit<ServeRuntimeOptions, 'runtime' | 'publicUrl'> {
  /** The agent, from `loadAgent`. */
  agent: AgentAdapter;
  /** Overrides fields of the agent's card. `url` is the public URL, if the server is behind a proxy. */
  card?: Partial<AgentDescription> & { url?: string };
}

const optionsSchema = z.looseObject({
  agent: z.custom<AgentAdapter>(
    (value) => hasMethods(value, 'start', 'handle'),
    "expected an agent, such as await loadAgent({ adapter: 'openclaw' })",
  ),
  card: descriptionOverridesSchema.optional(),
});

/**
 * Serves an agent over A2A. Closing the result stops the server, not the agent.
 *
 * @example
 * ```ts
 * const agent = await loadAgent({ adapter: 'openclaw' });
 * const served = await serveAgent({ agent, port: 4310, card: { name: 'My agent' } });
 * console.log(served.cardUrl);
 * ```
 * @throws TypeError if an option is not what it should be.
 */
export async function serveAgent(given: ServeAgentOptions): Promise<ServedAgent> {
  checkArgument('serveAgent({ agent })', optionsSchema, given);
  const { agent, card = {}, ...options } = given;
  const { runtime } = await agent.start();
  const { url, ...texts } = card;
  const { operations, pushKeys } = runtime;
  return serveRuntime({
    ...options,
    ...(url !== undefined && { publicUrl: url }),
    runtime: { operations, agent: { ...runtime.agent, ...texts }, ...(pushKeys && { pushKeys }) },
  });
}
