import { asObject } from '@holdword/protocol/internal';
import type { CallSettings } from './call-settings.ts';
import { UsageError } from '../usage-error.ts';

/** What a credential is sent as, and what the user should know about it. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  /** Parameters of every address. */
  readonly query: Readonly<Record<string, string>>;
  /** Texts that must never be shown. */
  readonly secrets: readonly string[];
  readonly warnings: readonly string[];
}

/** How an agent takes a credential. */
type Scheme =
  | { readonly kind: 'bearer' }
  | { readonly kind: 'key'; readonly location: string; readonly name: string }
  | { readonly kind: 'other' };

/**
 * The headers for the credentials that the user gave, by the schemes that the card declares. A credential that no scheme takes is
 * not sent: the agent did not ask for it, and it may be meant for another one.
 */
export function credentialsFor(
  published: Readonly<Record<string, unknown>>,
  settings: CallSettings,
  storedToken?: string,
): Credentials {
  const schemes = Object.values(asObject(published['securitySchemes'])).map(readScheme);
  const key = settings.text('api-key');
  // A login is for the time when nothing was said.
  const bearer = settings.text('bearer') ?? (key === undefined ? storedToken : undefined);
  for (const name of ['bearer', 'api-key']) {
    const { value = '', source } = settings.sourced(name).at(-1) ?? {};
    if (!/^[\x20-\x7e]*$/.test(value))
      throw new UsageError(`${source}: has a character that no header can have.`);
  }
  const headers: Record<string, string> = {};
  const query: Record<string, string> = {};
  const warnings: string[] = [];
  if (bearer !== undefined) {
    if (schemes.some(({ kind }) => kind === 'bearer')) headers['Authorization'] = `Bearer ${bearer}`;
    else warnings.push(withheld('bearer token', schemes.some(({ kind }) => kind === 'key') && 'API keys'));
  }
  if (key !== undefined) {
    const scheme = schemes.find((each) => each.kind === 'key');
    if (scheme === undefined) {
      warnings.push(withheld('API key', schemes.some(({ kind }) => kind === 'bearer') && 'bearer tokens'));
    } else if (scheme.location === 'header') headers[scheme.name] = key;
    else if (scheme.location === 'cookie') headers['Cookie'] = `${scheme.name}=${encodeURIComponent(key)}`;
    else {
      query[scheme.name] = key;
      warnings.push(
        'The agent takes its API key as a part of the address, where logs of servers contain it.',
      );
    }
  }
  const secrets = [bearer, key].filter((each) => each !== undefined);
  return { headers, query, secrets: [...secrets, ...secrets.map(encodeURIComponent)], warnings };
}

/**
 * The settings with the key of a named agent, in the way that its card asks for. It is used instead of what variables and files say,
 * which do not say for which agent it is, unless an option gives a credential.
 */
export async function withNamedKey(
  settings: CallSettings,
  published: Readonly<Record<string, unknown>>,
): Promise<CallSettings> {
  const isGiven = ['bearer', 'api-key'].some((name) => settings.sourced(name).at(-1)?.source === `--${name}`);
  const key = isGiven ? undefined : await settings.named?.key();
  if (key === undefined) return settings;
  const kinds = Object.values(asObject(published['securitySchemes'])).map((each) => readScheme(each).kind);
  return settings.withCredential(
    kinds.includes('key') && !kinds.includes('bearer') ? 'api-key' : 'bearer',
    key,
  );
}

/** Reads a scheme of a card of 1.0 or 0.3. */
function readScheme(value: unknown): Scheme {
  const scheme = asObject(value);
  const key = asObject(scheme['apiKeySecurityScheme'] ?? (scheme['type'] === 'apiKey' ? scheme : undefined));
  const name = key['name'];
  const location = key['location'] ?? key['in'];
  if (typeof name === 'string' && typeof location === 'string') return { kind: 'key', location, name };
  const http = asObject(scheme['httpAuthSecurityScheme'] ?? (scheme['type'] === 'http' ? scheme : undefined));
  const isBearer = typeof http['scheme'] === 'string' && http['scheme'].toLowerCase() === 'bearer';
  const isToken =
    'oauth2SecurityScheme' in scheme ||
    'openIdConnectSecurityScheme' in scheme ||
    scheme['type'] === 'oauth2' ||
    scheme['type'] === 'openIdConnect';
  return { kind: isBearer || isToken ? 'bearer' : 'other' };
}

function withheld(what: string, accepted: string | false): string {
  const other = accepted === false ? '' : ` It takes ${accepted}.`;
  return `The ${what} was not sent: no security scheme of the card takes one.${other}`;
}
