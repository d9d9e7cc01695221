import { PROTOCOL_VERSIONS, type ProtocolVersion } from '../version.ts';
import type {
  AgentCard,
  AgentExtension,
  AgentProvider,
  AgentSkill,
  SecurityRequirement,
  SecurityScheme,
} from './agent-card.ts';

/** A transport of A2A. */
export type ProtocolBinding = 'JSONRPC' | 'HTTP+JSON' | 'GRPC';

/** An endpoint of the agent. */
export interface CardEndpoint {
  /** For gRPC, host and port without a scheme. */
  url: string;
  binding: ProtocolBinding;
  /** The URLs of versions that are not served at `url`. */
  urls?: Partial<Record<ProtocolVersion, string>>;
  /**
   * The versions served there.
   *
   * @default all versions
   */
  versions?: readonly ProtocolVersion[];
  tenant?: string;
}

/** The content of a card. Missing fields get the defaults of a plain text agent. */
export interface AgentCardInput {
  name: string;
  description: string;
  version?: string;
  provider?: AgentProvider;
  documentationUrl?: string;
  iconUrl?: string;
  defaultInputModes?: readonly string[];
  defaultOutputModes?: readonly string[];
  skills?: readonly AgentSkill[];
  /** Preferred first. */
  endpoints: readonly CardEndpoint[];
  streaming?: boolean;
  pushNotifications?: boolean;
  extendedAgentCard?: boolean;
  extensions?: readonly AgentExtension[];
  securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  securityRequirements?: readonly SecurityRequirement[];
}

const TEXT_MODES = ['text/plain'];

/** Builds a card without fields at their default value, so that it equals its canonical form. */
export function buildAgentCard(input: AgentCardInput): AgentCard {
  return {
    name: input.name,
    description: input.description,
    supportedInterfaces: listInterfaces(input.endpoints),
    ...(input.provider && { provider: input.provider }),
    version: input.version ?? '1.0.0',
    ...(input.documentationUrl !== undefined && { documentationUrl: input.documentationUrl }),
    capabilities: {
      streaming: input.streaming ?? true,
      pushNotifications: input.pushNotifications ?? false,
      ...(input.extensions?.length && { extensions: [...input.extensions] }),
      extendedAgentCard: input.extendedAgentCard ?? false,
    },
    ...(input.securitySchemes &&
      Object.keys(input.securitySchemes).length > 0 && { securitySchemes: { ...input.securitySchemes } }),
    ...(input.securityRequirements?.length && { securityRequirements: [...input.securityRequirements] }),
    defaultInputModes: [...(input.defaultInputModes ?? TEXT_MODES)],
    defaultOutputModes: [...(input.defaultOutputModes ?? TEXT_MODES)],
    skills: [...(input.skills ?? [])],
    ...(input.iconUrl !== undefined && { iconUrl: input.iconUrl }),
  };
}

/** Lists all endpoints of the newest version first: a client uses the first interface it supports. */
function listInterfaces(endpoints: readonly CardEndpoint[]): AgentCard['supportedInterfaces'] {
  return PROTOCOL_VERSIONS.flatMap((protocolVersion) =>
    endpoints
      .filter(({ versions }) => versions === undefined || versions.includes(protocolVersion))
      .map(({ url, urls, binding, tenant }) => ({
        url: urls?.[protocolVersion] ?? url,
        protocolBinding: binding,
        ...(tenant !== undefined && tenant !== '' && { tenant }),
        protocolVersion,
      })),
  );
}
