import { usableInterfaces } from '@holdword/client/internal';
import { isA2AError, type AgentCard, type SecurityScheme } from '@holdword/protocol';
import { agentCardSchema, asObject, decodeRequest, v03CardToCore } from '@holdword/protocol/internal';
import type { AgentDetail } from '../api/agents.ts';

type Problem = AgentDetail['problems'][number];
type Scheme = AgentDetail['authentication']['schemes'][number];

/** A card as the console understands it, and what is wrong with it. */
export interface CardReport {
  /** Undefined if the card is too broken to be used. */
  readonly card: AgentCard | undefined;
  readonly problems: readonly Problem[];
}

/** Reads a card as it was published, in A2A 1.0 or 0.3. */
export function reportOnCard(published: unknown): CardReport {
  const isLegacy = asObject(published)['supportedInterfaces'] === undefined;
  const problems: Problem[] = isLegacy
    ? [warning('', 'This is a card of A2A 0.3. Publish one of A2A 1.0 as well.')]
    : [];
  try {
    const core = isLegacy ? v03CardToCore(published) : published;
    const card = decodeRequest(agentCardSchema, core);
    return { card, problems: [...problems, ...findProblems(card)] };
  } catch (error) {
    const fields = isA2AError(error) ? error.fields : [];
    const found = fields.map(({ field, description }) => failure(field, description));
    return {
      card: undefined,
      problems: [...problems, ...(found.length > 0 ? found : [failure('', 'It is not an agent card.')])],
    };
  }
}

function findProblems(card: AgentCard): Problem[] {
  const { supportedInterfaces: interfaces, skills, securitySchemes = {}, securityRequirements = [] } = card;
  const usable = usableInterfaces(card);
  const ids = skills.map(({ id }) => id);
  const required = new Set(securityRequirements.flatMap(({ schemes = {} }) => Object.keys(schemes)));
  return [
    ...(interfaces.length === 0
      ? [failure('supportedInterfaces', 'No interface is listed: nobody can call the agent.')]
      : []),
    ...(interfaces.length > 0 && usable.length === 0
      ? [failure('supportedInterfaces', 'No interface has a binding and a version that this console knows.')]
      : []),
    ...interfaces.flatMap(({ url }, index) =>
      /^http:\/\/(?!localhost\b|127\.|\[::1\])/i.test(url)
        ? [
            warning(
              `supportedInterfaces[${index}].url`,
              'Plain HTTP: credentials and messages can be read on the way. Use https.',
            ),
          ]
        : [],
    ),
    ...(skills.length === 0
      ? [warning('skills', 'No skill is listed: clients cannot know what the agent does.')]
      : []),
    ...skills.flatMap(({ id, description, examples = [] }, index) => [
      ...(ids.indexOf(id) === index
        ? []
        : [failure(`skills[${index}].id`, `Another skill has the same id "${id}".`)]),
      ...(description === ''
        ? [warning(`skills[${index}].description`, 'It is empty. Models choose skills by it.')]
        : []),
      ...(examples.length === 0
        ? [warning(`skills[${index}].examples`, 'There are none. An example shows what to ask.')]
        : []),
    ]),
    ...(card.description === '' ? [warning('description', 'It is empty. Models choose agents by it.')] : []),
    ...[...required]
      .filter((name) => !Object.hasOwn(securitySchemes, name))
      .map((name) =>
        failure(
          'securityRequirements',
          `It requires the scheme "${name}", which securitySchemes does not describe.`,
        ),
      ),
  ];
}

function failure(path: string, message: string): Problem {
  return { severity: 'error', path, message };
}

function warning(path: string, message: string): Problem {
  return { severity: 'warning', path, message };
}

/** How to authenticate with an agent, scheme by scheme and step by step. */
export function authenticationOf(card: AgentCard | undefined): { required: boolean; schemes: Scheme[] } {
  const { securitySchemes = {}, securityRequirements = [] } = card ?? {};
  const required =
    securityRequirements.length > 0 &&
    securityRequirements.every(({ schemes = {} }) => Object.keys(schemes).length > 0);
  return {
    required,
    schemes: Object.entries(securitySchemes).map(([name, scheme]) => describeScheme(name, scheme)),
  };
}

/** The header that a credential of a scheme is sent in. Undefined if it is not sent in one. */
export function headerFor(scheme: SecurityScheme, credential: string): Record<string, string> | undefined {
  if ('apiKeySecurityScheme' in scheme) {
    const { location, name } = scheme.apiKeySecurityScheme;
    return location === 'header' && /^[\w-]+$/.test(name) ? { [name]: credential } : undefined;
  }
  if ('httpAuthSecurityScheme' in scheme) {
    const { scheme: kind } = scheme.httpAuthSecurityScheme;
    return /^[\w-]+$/.test(kind) ? { Authorization: `${kind} ${credential}` } : undefined;
  }
  return 'mtlsSecurityScheme' in scheme ? undefined : { Authorization: `Bearer ${credential}` };
}

function describeScheme(name: string, scheme: SecurityScheme): Scheme {
  const usable = headerFor(scheme, '') !== undefined;
  if ('apiKeySecurityScheme' in scheme) {
    const { name: header, location, description } = scheme.apiKeySecurityScheme;
    const sentAs = location === 'header' ? `${header}: …` : `${location} ${header}`;
    const get = step('Get an API key', description ?? 'Ask the operator of the agent for a key.');
    return { name, kind: 'api-key', sentAs, usable, steps: [get, PASTE] };
  }
  if ('httpAuthSecurityScheme' in scheme) {
    const { scheme: kind, bearerFormat, description } = scheme.httpAuthSecurityScheme;
    const what = bearerFormat === undefined ? 'a key or token' : `a token (${bearerFormat})`;
    const get = step(`Get ${what}`, description ?? 'Ask the operator of the agent how to get it.');
    return { name, kind: 'http', sentAs: `Authorization: ${kind} …`, usable, steps: [get, PASTE] };
  }
  if ('openIdConnectSecurityScheme' in scheme) {
    const { openIdConnectUrl, description } = scheme.openIdConnectSecurityScheme;
    const find = step('Find the provider', 'It describes itself at this URL.', openIdConnectUrl);
    const get = step('Sign in there', description ?? 'Get an access token for this agent.');
    return {
      name,
      kind: 'open-id-connect',
      sentAs: 'Authorization: Bearer …',
      usable,
      steps: [find, get, PASTE],
    };
  }
  if ('oauth2SecurityScheme' in scheme) {
    const steps = [...oauthSteps(scheme.oauth2SecurityScheme.flows), PASTE];
    return { name, kind: 'oauth2', sentAs: 'Authorization: Bearer …', usable, steps };
  }
  if ('mtlsSecurityScheme' in scheme) {
    const { description = 'The agent accepts only connections with a client certificate.' } =
      scheme.mtlsSecurityScheme;
    const get = step(
      'Use a client certificate',
      `${description} The console cannot send one; use another client.`,
    );
    return { name, kind: 'mutual-tls', sentAs: null, usable: false, steps: [get] };
  }
  return { name, kind: 'unknown', sentAs: null, usable: false, steps: [] };
}

type Flows = Extract<SecurityScheme, { oauth2SecurityScheme: unknown }>['oauth2SecurityScheme']['flows'];

function oauthSteps(flows: Flows): Scheme['steps'] {
  if ('authorizationCode' in flows) {
    const { authorizationUrl, tokenUrl, scopes } = flows.authorizationCode;
    return [
      step('Sign in', `Open the authorization page and allow ${scopeText(scopes)}.`, authorizationUrl),
      step('Get a token', 'Exchange the code that you get for an access token here.', tokenUrl),
    ];
  }
  if ('clientCredentials' in flows) {
    const { tokenUrl, scopes } = flows.clientCredentials;
    return [step('Get a token', `Send your client id and secret here, for ${scopeText(scopes)}.`, tokenUrl)];
  }
  if ('deviceCode' in flows) {
    const { deviceAuthorizationUrl, tokenUrl, scopes } = flows.deviceCode;
    return [
      step('Get a code', `Ask for a device code here, for ${scopeText(scopes)}.`, deviceAuthorizationUrl),
      step('Enter it', 'Open the page that the answer names and enter the code.'),
      step('Get a token', 'Exchange the device code for an access token here.', tokenUrl),
    ];
  }
  return [
    step(
      'Get a token',
      'The agent describes a flow that is no longer recommended. Ask its operator for a token.',
    ),
  ];
}

const PASTE = step(
  'Paste it here',
  'It stays in the memory of this server until you sign out, and is sent to this agent alone.',
);

function step(title: string, text: string, url?: string): Scheme['steps'][number] {
  const isWeb = url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url);
  return { title, text, url: isWeb ? url : null };
}

function scopeText(scopes: Readonly<Record<string, string>>): string {
  const names = Object.keys(scopes);
  return names.length === 0 ? 'this agent' : `the scopes ${names.join(', ')}`;
}
