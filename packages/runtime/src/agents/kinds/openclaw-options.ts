import { z } from 'zod';
import { THINKING_LEVELS } from '../../executors/openclaw/thinking-levels.ts';
import { integer, text } from '../schema-parts.ts';
import { processOptions } from '../shared-options.ts';

const { timeout, asyncMode, workingDirectory, envVars } = processOptions;

/** What every way to OpenClaw takes. */
export const openClawOptions = {
  timeout,
  asyncMode,
  workingDirectory,
  envVars,
  sessionId: text
    .regex(
      /^[a-z0-9][a-z0-9_-]{0,63}$/,
      'expected up to 64 of a-z, 0-9, _ and -, the first a letter or digit',
    )
    .exactOptional()
    .describe('The session for messages without a context. Default: one of its own for each start.'),
  agentId: text.exactOptional().describe('One of `openclaw agents list`. Default: the default agent.'),
  thinking: z
    .enum(THINKING_LEVELS, { error: `expected one of ${THINKING_LEVELS.join(', ')}` })
    .exactOptional()
    .describe('How much the model thinks. Default: low.'),
  openclawPath: text.exactOptional().describe('Where the program is found. Default: openclaw in the PATH.'),
  maxFileBytes: integer('a number of bytes', 1, 1_073_741_824)
    .exactOptional()
    .describe('Larger files of an answer are left out. Default: 8388608 (8 MiB).'),
};

/** What the ways take that may lead to a gateway. */
export const gatewayOptions = {
  ...openClawOptions,
  gateway: z
    .strictObject(
      {
        url: z
          .url({ protocol: /^wss?$/, error: 'expected a URL that begins with ws:// or wss://' })
          .exactOptional()
          .describe('Where the gateway is. Default: as OpenClaw is configured.'),
        tokenVariable: text
          .exactOptional()
          .describe('The NAME of the environment variable with its token. Default: OPENCLAW_GATEWAY_TOKEN.'),
      },
      { error: 'expected an object' },
    )
    .exactOptional()
    .describe('Which gateway to use.'),
};

interface GivenGateway {
  url?: string;
  tokenVariable?: string;
}

/** The options as OpenClaw's executors take them, with the token that a variable of the server holds. */
export function withGatewayToken<Options extends { gateway?: GivenGateway }>(
  options: Options,
): Omit<Options, 'gateway'> & { gateway?: { url?: string; token?: string } } {
  const { gateway, ...rest } = options;
  if (gateway === undefined) return rest;
  const { tokenVariable, ...address } = gateway;
  if (tokenVariable === undefined) return { ...rest, gateway: address };
  const token = process.env[tokenVariable];
  if (token) return { ...rest, gateway: { ...address, token } };
  throw new Error(
    `Expected the gateway's token in the environment variable ${tokenVariable}, which is not set. Set it, or name another one.`,
  );
}
