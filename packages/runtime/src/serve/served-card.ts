import {
  IDEMPOTENCY_EXTENSION,
  RESUME_EXTENSION,
  signCard,
  type AgentCard,
  type AgentExtension,
  type CardSigningKey,
} from '@holdword/protocol';
import { buildAgentCard } from '@holdword/protocol/internal';
import type { AgentDescription } from '../agent-description.ts';
import type { Authentication } from './auth/authentication.ts';
import { DEFAULT_PATHS, type HandlerPaths } from './paths.ts';

export interface CardOptions {
  agent: AgentDescription;
  /** Where the handler is reached, with its base path and without a slash at the end. */
  url: string;
  /** Host and port of gRPC, when it is served. */
  grpcAddress?: string | undefined;
  authentication: Pick<Authentication, 'securitySchemes' | 'isOptional'>;
  /** Where the handler answers, when not at the usual paths. */
  paths?: HandlerPaths;
  /** Whether GetExtendedAgentCard is answered. */
  hasExtendedCard: boolean;
  /** Whether clients can be notified. */
  pushNotifications?: boolean;
  signingKey?: CardSigningKey | undefined;
}

const EXTENSIONS: AgentExtension[] = [
  {
    uri: RESUME_EXTENSION,
    description: 'Events carry sequence numbers; a stream that was cut is resumed after the last one seen.',
    required: false,
  },
  {
    uri: IDEMPOTENCY_EXTENSION,
    description: 'A message that is sent again with the same key or id gives the same task.',
    required: false,
  },
];

/** The card of an agent that is served: what it says of itself, where it is reached and who may call. */
export async function buildServedCard(options: CardOptions): Promise<AgentCard> {
  const { agent, url, grpcAddress, authentication, paths = DEFAULT_PATHS } = options;
  const { jsonRpc, unversionedJsonRpc, rest } = paths;
  const card = buildAgentCard({
    ...agent,
    endpoints: [
      {
        binding: 'JSONRPC',
        url: `${url}${jsonRpc}`,
        ...(unversionedJsonRpc !== undefined && { urls: { '1.0': `${url}${unversionedJsonRpc}` } }),
      },
      ...(rest === undefined ? [] : [{ binding: 'HTTP+JSON' as const, url: `${url}${rest}` }]),
      ...(grpcAddress === undefined ? [] : [{ binding: 'GRPC' as const, url: grpcAddress }]),
    ],
    streaming: true,
    pushNotifications: options.pushNotifications ?? false,
    extendedAgentCard: options.hasExtendedCard,
    extensions: EXTENSIONS,
    securitySchemes: authentication.securitySchemes,
    securityRequirements: authentication.isOptional
      ? []
      : Object.keys(authentication.securitySchemes).map((name) => ({ schemes: { [name]: { list: [] } } })),
  });
  return options.signingKey === undefined ? card : signCard(card, options.signingKey);
}
