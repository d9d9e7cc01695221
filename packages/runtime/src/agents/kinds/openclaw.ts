import { z } from 'zod';
import { defineAgent } from '../agent-kind.ts';
import { gatewayOptions, withGatewayToken } from './openclaw-options.ts';

export const openclaw = defineAgent({
  name: 'openclaw',
  summary: 'OpenClaw, via its gateway if reachable, otherwise the `openclaw` command',
  options: z.strictObject(gatewayOptions),
  async open(options, server) {
    const { OpenClawAgent } = await import('../../executors/openclaw/index.ts');
    const executor = await OpenClawAgent.open(withGatewayToken(options), server);
    return { executor, transport: executor.transport === 'gateway' ? 'gateway' : 'command line' };
  },
});
