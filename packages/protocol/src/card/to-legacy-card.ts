import { A2AError } from '../errors/a2a-error.ts';
import type { JsonObject } from '../model/json.ts';
import type {
  AgentCard,
  AgentExtension,
  OAuthFlows,
  SecurityRequirement,
  SecurityScheme,
} from './agent-card.ts';

const LEGACY_VERSION = /^0\.3(?:\.\d+)?$/;

/** The card in the form of A2A 0.3. Omits signatures, which cover only the 1.0 form, and device code flows. */
export function toLegacyCard(card: AgentCard): JsonObject {
  const interfaces = card.supportedInterfaces.filter(({ protocolVersion }) =>
    LEGACY_VERSION.test(protocolVersion),
  );
  const [primary] = interfaces;
  if (primary === undefined) {
    throw new A2AError(
      'VERSION_NOT_SUPPORTED',
      'This agent has no interface for A2A 0.3. Read its card as A2A 1.0 and use an interface listed there.',
    );
  }
  const { streaming, pushNotifications, extensions, extendedAgentCard } = card.capabilities;
  return defined({
    protocolVersion: '0.3.0',
    name: card.name,
    description: card.description,
    version: card.version,
    url: primary.url,
    preferredTransport: primary.protocolBinding,
    // All of them: 0.3 lists the primary interface here again.
    additionalInterfaces: interfaces.map(({ url, protocolBinding }) => ({ url, transport: protocolBinding })),
    provider: card.provider,
    documentationUrl: card.documentationUrl,
    iconUrl: card.iconUrl,
    capabilities: defined({ streaming, pushNotifications, extensions: extensions?.map(toLegacyExtension) }),
    supportsAuthenticatedExtendedCard: extendedAgentCard,
    securitySchemes: card.securitySchemes && mapValues(card.securitySchemes, toLegacyScheme),
    security: card.securityRequirements?.map(toLegacyRequirement),
    defaultInputModes: card.defaultInputModes,
    defaultOutputModes: card.defaultOutputModes,
    skills: card.skills.map(({ securityRequirements, ...skill }) =>
      defined({ ...skill, security: securityRequirements?.map(toLegacyRequirement) }),
    ),
  });
}

function toLegacyExtension(extension: AgentExtension): JsonObject {
  return { ...extension, required: extension.required ?? false };
}

function toLegacyRequirement(requirement: SecurityRequirement): JsonObject {
  return mapValues(requirement.schemes ?? {}, ({ list }) => list ?? []);
}

function toLegacyScheme(scheme: SecurityScheme): JsonObject {
  if ('apiKeySecurityScheme' in scheme) {
    const { location, ...rest } = scheme.apiKeySecurityScheme;
    return { type: 'apiKey', in: location, ...rest };
  }
  if ('httpAuthSecurityScheme' in scheme) return { type: 'http', ...scheme.httpAuthSecurityScheme };
  if ('mtlsSecurityScheme' in scheme) return { type: 'mutualTLS', ...scheme.mtlsSecurityScheme };
  if ('openIdConnectSecurityScheme' in scheme) {
    return { type: 'openIdConnect', ...scheme.openIdConnectSecurityScheme };
  }
  return {
    type: 'oauth2',
    ...scheme.oauth2SecurityScheme,
    flows: toLegacyFlows(scheme.oauth2SecurityScheme.flows),
  };
}

function toLegacyFlows(flows: OAuthFlows): JsonObject {
  if ('deviceCode' in flows) return {};
  if (!('authorizationCode' in flows)) return { ...flows };
  const { pkceRequired: _, ...authorizationCode } = flows.authorizationCode;
  return { authorizationCode };
}

function defined(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function mapValues<Value>(record: Record<string, Value>, map: (value: Value) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
