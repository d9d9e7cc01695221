import { z } from 'zod';
import { defineAgent } from '../agent-kind.ts';
import { gatewayOptions, withGatewayToken } from './openclaw-options.ts';

export const openclawGateway = defineAgent({
  name: 'openclaw-gateway',
  summary: 'OpenClaw, by its gateway alone',
  options: z.strictObject(gatewayOptions),
  async open(options, server) {
    const { OpenClawGatewayAgent } = await import('../../executors/openclaw/index.ts');
    return { executor: new OpenClawGatewayAgent(withGatewayToken(options), server) };
  },
});
