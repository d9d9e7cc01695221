import { AGENT_KINDS } from '@holdword/runtime/internal';
import { z } from 'zod';

/**
 * What the configuration may say of the agents that Holdword knows by name, each under its name. What an agent must have may
 * also stand behind its name (`--agent exec:"wc -w"`), so nothing has to be here.
 */
export const agentOptionsSchema = z.strictObject(
  Object.fromEntries(
    AGENT_KINDS.map(({ name, summary, options }) => [
      name,
      options.partial().optional().describe(`Options of ${summary}.`),
    ]),
  ),
  { error: 'expected an object' },
);
