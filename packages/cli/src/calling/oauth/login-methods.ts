import { asObject } from '@holdword/protocol/internal';

/** A way to get a token for an agent, as its card declares it. */
export interface LoginMethod {
  /** The name of the scheme on the card. */
  readonly scheme: string;
  readonly flow: Flow;
  readonly tokenUrl?: string | undefined;
  readonly deviceUrl?: string | undefined;
  /** Where an OpenID provider says the addresses. */
  readonly discoveryUrl?: string | undefined;
  readonly scopes: readonly string[];
}

export const FLOWS = ['device', 'client-credentials'] as const;
export type Flow = (typeof FLOWS)[number];

/** All methods of a card of 1.0 or 0.3 that a command line can use, in the order of the card. */
export function loginMethods(published: Readonly<Record<string, unknown>>): LoginMethod[] {
  return Object.entries(asObject(published['securitySchemes'])).flatMap(([scheme, value]) => {
    const given = asObject(value);
    const oauth = given['oauth2SecurityScheme'] ?? (given['type'] === 'oauth2' ? given : undefined);
    if (oauth !== undefined) return oauthMethods(scheme, asObject(oauth));
    const openId =
      given['openIdConnectSecurityScheme'] ?? (given['type'] === 'openIdConnect' ? given : undefined);
    const discoveryUrl = textOf(asObject(openId)['openIdConnectUrl']);
    return discoveryUrl === undefined
      ? []
      : FLOWS.map((flow) => ({ scheme, flow, discoveryUrl, scopes: ['openid'] }));
  });
}

function oauthMethods(scheme: string, oauth: Readonly<Record<string, unknown>>): LoginMethod[] {
  const flows = asObject(oauth['flows']);
  const device = asObject(flows['deviceCode']);
  const client = asObject(flows['clientCredentials']);
  const discoveryUrl = textOf(oauth['oauth2MetadataUrl']);
  const deviceUrl = textOf(device['deviceAuthorizationUrl']);
  const clientUrl = textOf(client['tokenUrl']);
  return [
    ...(deviceUrl === undefined
      ? []
      : [
          {
            scheme,
            flow: 'device' as const,
            deviceUrl,
            tokenUrl: textOf(device['tokenUrl']),
            discoveryUrl,
            scopes: Object.keys(asObject(device['scopes'])),
          },
        ]),
    ...(clientUrl === undefined
      ? []
      : [
          {
            scheme,
            flow: 'client-credentials' as const,
            tokenUrl: clientUrl,
            scopes: Object.keys(asObject(client['scopes'])),
          },
        ]),
  ];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
