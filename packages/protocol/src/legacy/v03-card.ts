import type {
  AgentCard,
  AgentExtension,
  OAuthFlows,
  SecurityRequirement,
  SecurityScheme,
} from '../card/agent-card.ts';
import { A2AError } from '../errors/a2a-error.ts';
import { asObject, isObject, mapEach, withoutAbsent, type JsonObject } from '../basics/json.ts';

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
  return withoutAbsent({
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
    capabilities: withoutAbsent({
      streaming,
      pushNotifications,
      extensions: extensions?.map(toLegacyExtension),
    }),
    supportsAuthenticatedExtendedCard: extendedAgentCard,
    securitySchemes: card.securitySchemes && mapValues(card.securitySchemes, toLegacyScheme),
    security: card.securityRequirements?.map(toLegacyRequirement),
    defaultInputModes: card.defaultInputModes,
    defaultOutputModes: card.defaultOutputModes,
    skills: card.skills.map(({ securityRequirements, ...skill }) =>
      withoutAbsent({ ...skill, security: securityRequirements?.map(toLegacyRequirement) }),
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

function mapValues<Value>(record: Record<string, Value>, map: (value: Value) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

/**
 * One card for clients of both versions, for when they cannot be distinguished: the fields of 1.0 plus those that only 0.3
 * has. Clients ignore the fields they do not know.
 */
export function toSharedCard(card: AgentCard): JsonObject {
  return withFieldsOf(toLegacyCard(card), card);
}

/**
 * The card for requests that name no version, as those of 0.3 clients do. A signature covers every field that is sent: a signed
 * card has no more than those of 1.0.
 */
export function toUnversionedCard(card: AgentCard): object {
  return card.signatures === undefined ? toSharedCard(card) : card;
}

function withFieldsOf(legacy: JsonObject, current: object): JsonObject {
  const fields = Object.entries(current).map(([name, value]): [string, unknown] => {
    const other: unknown = legacy[name];
    return [name, isObject(value) && isObject(other) ? withFieldsOf(other, value) : value];
  });
  return { ...legacy, ...Object.fromEntries(fields) };
}

/**
 * Converts a card of A2A 0.3 to 1.0. The result is not validated. Its `url` and its additional interfaces become the list of
 * interfaces, preferred first. Security schemes are omitted, because nothing uses them.
 */
export function v03CardToCore(value: unknown): JsonObject {
  const {
    url,
    preferredTransport,
    additionalInterfaces,
    protocolVersion: _version,
    supportsAuthenticatedExtendedCard,
    capabilities,
    skills,
    securitySchemes: _schemes,
    security: _security,
    signatures: _signatures,
    ...card
  } = asObject(value);
  return withoutAbsent({
    ...card,
    supportedInterfaces: distinctInterfaces([
      { url, transport: preferredTransport ?? 'JSONRPC' },
      ...(Array.isArray(additionalInterfaces) ? additionalInterfaces : []),
    ]),
    capabilities: withoutAbsent({
      ...asObject(capabilities),
      extendedAgentCard: supportsAuthenticatedExtendedCard,
    }),
    skills: mapEach(skills, (skill) => {
      const { security: _skillSecurity, ...fields } = asObject(skill);
      return fields;
    }),
  });
}

/** 0.3 lists the primary interface again among the additional ones. */
function distinctInterfaces(interfaces: readonly unknown[]): JsonObject[] {
  const found = new Map<string, JsonObject>();
  for (const each of interfaces.filter(isObject)) {
    const { url, transport } = each;
    if (typeof url !== 'string' || typeof transport !== 'string') continue;
    const key = `${transport} ${url}`;
    if (!found.has(key)) found.set(key, { url, protocolBinding: transport, protocolVersion: '0.3' });
  }
  return [...found.values()];
}
