import { asObject, isObject, type JsonObject } from '../model/json.ts';
import { mapEach, withoutAbsent } from './json-fields.ts';

/**
 * A card of A2A 0.3 as one of 1.0 that no schema has accepted yet. Its one `url` and the list beside it become the list
 * of interfaces, the preferred one first. Security schemes are left out: nobody reads them from here.
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

/** 0.3 wants the primary interface listed again among the additional ones. */
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
