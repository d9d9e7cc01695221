import { z } from 'zod';
import { defineAgent } from '../agent-kind.ts';
import { gatewayOptions, withGatewayToken } from './openclaw-options.ts';

export const openclaw = defineAgent({
  name: 'openclaw',
  summary: 'OpenClaw, by its gateway where one can be reached, else by its command openclaw',
  options: z.strictObject(gatewayOptions),
  async open(options, server) {
    const { OpenClawAgent } = await import('../../executors/openclaw/index.ts');
    const executor = await OpenClawAgent.open(withGatewayToken(options), server);
    return { executor, transport: executor.transport === 'gateway' ? 'gateway' : 'command line' };
  },
});
