import { AGENT_KINDS } from '@holdword/runtime/internal/settings';
import { z } from 'zod';

/**
 * Options of the agents that are served by name. All are optional here: a required one can also follow the name, as in
 * `--agent exec:"wc -w"`.
 */
export const agentOptionsSchema = z.strictObject(
  Object.fromEntries(
    AGENT_KINDS.map(({ name, summary, options }) => [
      name,
      options.partial().optional().describe(`Options of the agent ${name}: ${summary}.`),
    ]),
  ),
  { error: 'expected an object' },
);
