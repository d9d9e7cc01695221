import { z } from 'zod';
import { defineAgent } from '../agent-kind.ts';
import { gatewayOptions, withGatewayToken } from './openclaw-options.ts';

export const openclawGateway = defineAgent({
  name: 'openclaw-gateway',
  summary: 'OpenClaw, via its gateway only',
  options: z.strictObject(gatewayOptions),
  async open(options, server) {
    const { OpenClawGatewayAgent } = await import('../../executors/openclaw/index.ts');
    return { executor: new OpenClawGatewayAgent(withGatewayToken(options), server) };
  },
});
