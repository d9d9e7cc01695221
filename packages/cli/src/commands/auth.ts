import { createGuardedClient } from '@holdword/net/internal';
import { agentKey, type NamedCard } from '../calling/called-agent.ts';
import { isSameHost } from '../calling/find-card.ts';
import { CallError } from '../calling/call-errors.ts';
import { CALL_OPTIONS, LOGIN_OPTIONS, WAIT_OPTIONS } from '../calling/call-options.ts';
import { FLOWS, loginMethods, type LoginMethod } from '../calling/oauth/login-methods.ts';
import {
  discover,
  logInAsClient,
  logInWithDevice,
  type IssuedToken,
  type TokenContext,
} from '../calling/oauth/request-token.ts';
import { StoredTokens, type StoredToken } from '../calling/oauth/stored-tokens.ts';
import { isExpired } from '../calling/oauth/token-for.ts';
import { reportMisuse, runCall, type Call } from '../calling/run-call.ts';
import { field, withoutControls } from '../calling/task-text.ts';
import { readTls } from '../calling/tls.ts';
import type { Command } from '../command-line/command.ts';
import { UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';

const PAGE = 'guides/talk-to-an-agent.md';

const login: Command = {
  ...listed('auth login'),
  misused: reportMisuse,
  details:
    'Uses OAuth as the card says: with a code that you confirm in a browser on any device, or as a client with its own secret. ' +
    'The token is kept in a file that only you can read, and sent to this agent from then on.',
  options: {
    ...CALL_OPTIONS,
    timeout: WAIT_OPTIONS.timeout,
    flow: {
      value: FLOWS.join('|'),
      description: 'How to log in',
      default: 'client-credentials with a client secret, otherwise device',
    },
    scheme: {
      value: 'NAME',
      description: 'Which security scheme of the card',
      default: 'the first that fits',
    },
    ...LOGIN_OPTIONS,
    'auth-host': {
      value: 'HOST',
      description: 'The host that the secret may be sent to, if it is not that of the card',
    },
  },
  examples: [
    {
      comment: 'Log in with a browser',
      command: 'holdword auth login -a https://agent.example --client-id my-client',
    },
    {
      comment: 'Log in as a service, with A2ACLI_CLIENT_SECRET set',
      command:
        'holdword auth login -a https://agent.example --flow client-credentials --client-id my-service',
    },
  ],
  page: PAGE,
  run: (input) =>
    runCall(input, async (call) => {
      const named = await call.find();
      const method = chooseMethod(named, call);
      const { token, tokenUrl } = await logIn(named, method, call);
      const clientId = call.settings.text('client-id') ?? '';
      const store = new StoredTokens(input.environment);
      const agent = agentKey(named);
      await store.set(agent, { ...token, tokenUrl, clientId, scheme: method.scheme });
      const result = {
        agent,
        scheme: method.scheme,
        flow: method.flow,
        ...shownToken(token),
        file: store.path,
      };
      call.print(result, () =>
        [
          field('Agent', agent),
          field('Scheme', method.scheme),
          ...(result.expiresAt === null ? [] : [field('Expires', result.expiresAt)]),
          field('Stored', store.path),
        ].join(''),
      );
    }),
};

function chooseMethod({ found }: NamedCard, { input, settings }: Call): LoginMethod {
  const { scheme } = input.options;
  const flow = readFlow(input.options['flow']) ?? defaultFlow(settings.text('client-secret'));
  const methods = loginMethods(found.published);
  const method = methods.find((each) => each.flow === flow && (scheme ?? each.scheme) === each.scheme);
  if (method !== undefined) return method;
  const others = [...new Set(methods.map((each) => each.flow))];
  throw new CallError(
    'A2ACLI_ERR_CREDENTIALS_MISSING',
    `The card has no security scheme for a login with ${flow}.`,
    others.length === 0
      ? 'Set A2ACLI_BEARER or A2ACLI_API_KEY to a credential of this agent.'
      : `It takes: ${others.map((each) => `--flow ${each}`).join(', ')}.`,
  );
}

function readFlow(given: string | undefined): LoginMethod['flow'] | undefined {
  const flow = FLOWS.find((each) => each === given);
  if (given === undefined || flow !== undefined) return flow;
  throw new UsageError(`--flow: expected ${FLOWS.join(' or ')}, found "${given.slice(0, 40)}".`);
}

function defaultFlow(secret: string | undefined): LoginMethod['flow'] {
  return secret === undefined ? 'device' : 'client-credentials';
}

async function logIn(
  named: NamedCard,
  method: LoginMethod,
  call: Call,
): Promise<{ token: IssuedToken; tokenUrl: string }> {
  const { settings, signal, diagnostics, input } = call;
  const id = settings.text('client-id');
  const secret = settings.text('client-secret');
  if (id === undefined) {
    throw new UsageError('As which client? Name it with --client-id, or set A2ACLI_CLIENT_ID.');
  }
  if (method.flow === 'client-credentials' && secret === undefined) {
    throw new UsageError('The client needs its secret: set A2ACLI_CLIENT_SECRET.');
  }
  diagnostics.hide(secret === undefined ? [] : [secret]);
  const given = settings.all('scope');
  const scopes = given.length > 0 ? given : method.scopes;
  // The addresses come from the card. What is on its own host was chosen by the user; anything else has to be public.
  const addresses = [method.tokenUrl, method.deviceUrl, method.discoveryUrl].filter(
    (each) => each !== undefined,
  );
  const trustedOrigins = addresses
    .filter((address) => URL.canParse(address) && isSameHost(new URL(address), named.named))
    .map((address) => new URL(address).origin);
  const tls = await readTls(settings, input.workingFolder);
  using client = disposable(createGuardedClient({ trustedOrigins, tls }));
  const found =
    method.discoveryUrl === undefined ? undefined : await discover({ client, signal }, method.discoveryUrl);
  const tokenUrl = method.tokenUrl ?? found?.tokenUrl ?? '';
  const deviceUrl = method.deviceUrl ?? found?.deviceUrl;
  if (secret !== undefined) checkHost(tokenUrl, named, input.options['auth-host']);
  const context: TokenContext = { client, oauthClient: { id, secret }, signal };
  if (method.flow === 'client-credentials') {
    return { token: await logInAsClient(context, tokenUrl, scopes), tokenUrl };
  }
  if (deviceUrl === undefined) {
    throw new CallError(
      'A2ACLI_ERR_AUTH_FAILED',
      'The provider has no login with a code.',
      'Use --flow client-credentials.',
    );
  }
  const token = await logInWithDevice(context, { deviceUrl, tokenUrl }, scopes, ({ url, code }) => {
    diagnostics.tell(`Open ${withoutControls(url)} and confirm the code ${withoutControls(code)}.`);
  });
  return { token, tokenUrl };
}

/** The card may name any host: a secret goes there only if the user knows it. */
function checkHost(tokenUrl: string, { named }: NamedCard, allowed: string | undefined): void {
  const url = new URL(tokenUrl);
  if (isSameHost(url, named) || allowed === url.hostname || allowed === url.host) return;
  throw new CallError(
    'A2ACLI_ERR_AUTH_FAILED',
    `The card asks to send your client's secret to ${url.host}.`,
    `If that is your provider, add --auth-host ${url.host}.`,
  );
}

function disposable<Client extends { close(): void }>(client: Client): Client & Disposable {
  return { ...client, [Symbol.dispose]: () => client.close() };
}

const logout: Command = {
  ...listed('auth logout'),
  misused: reportMisuse,
  details: 'Deletes the token on this machine. The agent is not told.',
  options: CALL_OPTIONS,
  examples: [{ comment: 'Forget a login', command: 'holdword auth logout -a https://agent.example' }],
  page: PAGE,
  run: (input) =>
    runCall(input, async (call) => {
      const agent = agentKey(await call.find());
      const wasThere = await new StoredTokens(input.environment).delete(agent);
      call.print({ agent, loggedOut: wasThere }, () =>
        wasThere ? field('Logged out', agent) : field('Not logged in', agent),
      );
    }),
};

const status: Command = {
  ...listed('auth status'),
  misused: reportMisuse,
  details: 'Tokens are never shown.',
  options: { output: CALL_OPTIONS.output, config: CALL_OPTIONS.config },
  examples: [{ comment: 'See where you are logged in', command: 'holdword auth status' }],
  page: PAGE,
  run: (input) =>
    runCall(input, async (call) => {
      const store = new StoredTokens(input.environment);
      const logins = Object.entries(await store.all()).map(([agent, token]) => ({
        agent,
        scheme: token.scheme,
        state: stateOf(token),
        ...shownToken(token),
      }));
      call.print({ file: store.path, logins }, () =>
        logins.length === 0
          ? field('Total', '0')
          : logins
              .map(({ agent, scheme, state, expiresAt }) =>
                [
                  field('Agent', agent),
                  field('Scheme', scheme),
                  field('State', state),
                  expiresAt === null ? '' : field('Expires', expiresAt),
                  '\n',
                ].join(''),
              )
              .join(''),
      );
    }),
};

function stateOf(token: StoredToken): string {
  if (!isExpired(token)) return 'valid';
  return token.refreshToken === undefined ? 'expired' : 'renewed when it is used';
}

function shownToken({ expiresAt, scope }: IssuedToken): { expiresAt: string | null; scope: string | null } {
  return {
    expiresAt: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
    scope: scope ?? null,
  };
}

export const commands: readonly Command[] = [login, logout, status];
