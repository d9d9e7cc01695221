import {
  A2AError,
  FORK_EXTENSION,
  IDEMPOTENCY_EXTENSION,
  RESUME_EXTENSION,
  signCard,
  type AgentCard,
  type AgentExtension,
  type CardSigningKey,
} from '@holdword/protocol';
import { buildAgentCard, type CardEndpoint, checkArgument, isObject } from '@holdword/protocol/internal';
import { z } from 'zod';
import { type AgentDescription, agentDescriptionSchema } from '../agent-description.ts';
import type { AllOperations, Operations } from '../operations/operations.ts';
import type { Owner } from '../owner.ts';
import { DEFAULT_PATHS, type HandlerPaths } from './addresses.ts';
import { refusedCredential, type Authentication } from './auth/authentication.ts';

/** What the card of a served agent says. */
export interface CardOptions {
  /** What the agent says about itself. */
  agent: AgentDescription;
  /** The URL of the handler, with its base path and without a trailing slash. */
  url: string;
  /** Host and port of gRPC, if it is served. */
  grpcAddress?: string | undefined;
  /**
   * The tenant that gRPC requests have to name, for an agent that shares its address with others. A2A 0.3 has no tenants, so that
   * its clients do not find gRPC on the card.
   */
  grpcTenant?: string | undefined;
  /** How callers authenticate. */
  authentication: Pick<Authentication, 'securitySchemes' | 'isOptional'>;
  /** The paths of the handler, if they are not the default ones. */
  paths?: HandlerPaths;
  /** Whether GetExtendedAgentCard is supported. */
  hasExtendedCard: boolean;
  /** Whether push notifications are supported. */
  pushNotifications?: boolean;
  /** Signs the card. It is not signed without one. */
  signingKey?: CardSigningKey | undefined;
}

const EXTENSIONS: readonly AgentExtension[] = [
  {
    uri: RESUME_EXTENSION,
    description:
      'Events carry sequence numbers. If a stream is interrupted, resume it after the last number you received.',
    required: false,
  },
  {
    uri: IDEMPOTENCY_EXTENSION,
    description: 'A message sent again with the same key or id returns the same task.',
    required: false,
  },
  {
    uri: FORK_EXTENSION,
    description: 'A message can start a new task from what another task had after one of its events.',
    required: false,
  },
];

/** What a program in JavaScript gets wrong most easily. */
const optionsSchema = z.looseObject({
  agent: agentDescriptionSchema,
  // Empty where each request brings its own origin.
  url: z.string(),
  authentication: z.custom<CardOptions['authentication']>(
    (value) => isObject(value) && isObject(value['securitySchemes']),
    'expected an authentication, such as noAuthentication()',
  ),
});

/**
 * Builds the card of a served agent: what it says about itself, where it is reached, and who may call it.
 *
 * @example
 * ```ts
 * const card = await buildServedCard({
 *   agent: { name: 'Greeter', description: 'Says hello.' },
 *   url: 'https://agent.example',
 *   authentication: noAuthentication(),
 *   hasExtendedCard: false,
 * });
 * ```
 * @throws TypeError if an option is not what it should be.
 */
export async function buildServedCard(options: CardOptions): Promise<AgentCard> {
  checkArgument('buildServedCard({ agent, url, authentication })', optionsSchema, options);
  const { agent, url, grpcAddress, grpcTenant, authentication, paths = DEFAULT_PATHS } = options;
  const { jsonRpc, unversionedJsonRpc, rest } = paths;
  const card = buildAgentCard({
    ...agent,
    endpoints: [
      {
        binding: 'JSONRPC',
        url: `${url}${jsonRpc}`,
        ...(unversionedJsonRpc !== undefined && {
          urls: { '1.0': `${url}${unversionedJsonRpc}`, '1.1': `${url}${unversionedJsonRpc}` },
        }),
      },
      ...(rest === undefined ? [] : [{ binding: 'HTTP+JSON' as const, url: `${url}${rest}` }]),
      ...(grpcAddress === undefined ? [] : [grpcEndpoint(grpcAddress, grpcTenant)]),
    ],
    streaming: true,
    pushNotifications: options.pushNotifications ?? false,
    extendedAgentCard: options.hasExtendedCard,
    extensions: [...EXTENSIONS, ...(agent.extensions ?? [])],
    securitySchemes: authentication.securitySchemes,
    securityRequirements: authentication.isOptional
      ? []
      : Object.keys(authentication.securitySchemes).map((name) => ({ schemes: { [name]: { list: [] } } })),
  });
  return options.signingKey === undefined ? card : signCard(card, options.signingKey);
}

function grpcEndpoint(url: string, tenant: string | undefined): CardEndpoint {
  return { binding: 'GRPC', url, ...(tenant !== undefined && { tenant, versions: ['1.0', '1.1'] }) };
}

/** Returns the card for authenticated callers, or undefined while there is none. */
export type ExtendedCardSource = (owner: Owner) => Promise<unknown>;

/** The operations that a server offers: those of the agent, and GetExtendedAgentCard. */
export function withExtendedCard(
  operations: Operations,
  source: ExtendedCardSource | undefined,
): AllOperations {
  return { ...operations, getExtendedAgentCard: (_, { owner }) => readExtendedCard(source, owner) };
}

/** Without a source, the public card does not declare the operation. */
async function readExtendedCard(source: ExtendedCardSource | undefined, owner: Owner): Promise<AgentCard> {
  if (source === undefined) {
    throw new A2AError(
      'UNSUPPORTED_OPERATION',
      'This agent has no extended card. Its public card is at /.well-known/agent-card.json.',
    );
  }
  if (!owner.authenticated) {
    throw refusedCredential(
      'The extended agent card requires authentication. Send a credential.',
      'no credential',
    );
  }
  const card = await source(owner);
  if (card === undefined) {
    throw new A2AError(
      'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
      'The extended agent card is not configured. Use the public card, or ask the operator of this agent.',
    );
  }
  return card as AgentCard;
}
