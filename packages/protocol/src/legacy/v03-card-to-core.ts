import { asObject, isObject, type JsonObject } from '../model/json.ts';
import { mapEach, withoutAbsent } from './json-fields.ts';

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
