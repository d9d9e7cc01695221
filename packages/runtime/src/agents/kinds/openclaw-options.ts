import { z } from 'zod';
import { THINKING_LEVELS } from '../../executors/openclaw/openclaw-options.ts';
import { AgentOptionsError } from '../../executors/executor-errors.ts';
import { integer, text } from '../schema-parts.ts';
import { processOptions } from '../shared-options.ts';

const { timeout, asyncMode, workingDirectory, envVars } = processOptions;

/** Options of OpenClaw with every transport. */
export const openClawOptions = {
  timeout,
  asyncMode,
  workingDirectory,
  envVars,
  sessionId: text
    .regex(
      /^[a-z0-9][a-z0-9_-]{0,63}$/,
      'expected up to 64 characters of a-z, 0-9, _ and -, starting with a letter or digit',
    )
    .exactOptional()
    .describe('Session for messages without a context. Default: a new one for each start.'),
  agentId: text
    .exactOptional()
    .describe('Agent id, from `openclaw agents list`. Default: the default agent.'),
  thinking: z
    .enum(THINKING_LEVELS, { error: `expected one of ${THINKING_LEVELS.join(', ')}` })
    .exactOptional()
    .describe('Thinking level of the model. Default: low.'),
  openclawPath: text.exactOptional().describe('Path of the program. Default: openclaw, looked up in PATH.'),
  maxFileBytes: integer('a number of bytes', 1, 1_073_741_824)
    .exactOptional()
    .describe('Size limit for a file in an answer; larger files are omitted. Default: 8388608 (8 MiB).'),
};

/** Options of OpenClaw with the gateway as transport. */
export const gatewayOptions = {
  ...openClawOptions,
  gateway: z
    .strictObject(
      {
        url: z
          .url({ protocol: /^wss?$/, error: 'expected a ws:// or wss:// URL' })
          .exactOptional()
          .describe('URL of the gateway. Default: from the configuration of OpenClaw.'),
        tokenVariable: text
          .exactOptional()
          .describe(
            'Name of the environment variable that holds its token. Default: OPENCLAW_GATEWAY_TOKEN.',
          ),
      },
      { error: 'expected an object' },
    )
    .exactOptional()
    .describe('The gateway to connect to.'),
};

interface GivenGateway {
  url?: string;
  tokenVariable?: string;
}

/** Replaces the name of the token's variable with the token, as the executors of OpenClaw expect. */
export function withGatewayToken<Options extends { gateway?: GivenGateway }>(
  options: Options,
): Omit<Options, 'gateway'> & { gateway?: { url?: string; token?: string } } {
  const { gateway, ...rest } = options;
  if (gateway === undefined) return rest;
  const { tokenVariable, ...address } = gateway;
  if (tokenVariable === undefined) return { ...rest, gateway: address };
  const token = process.env[tokenVariable];
  if (token) return { ...rest, gateway: { ...address, token } };
  throw new AgentOptionsError(
    `The environment variable ${tokenVariable} for the token of the gateway is not set. Set it, or name another one in gateway.tokenVariable.`,
  );
}
