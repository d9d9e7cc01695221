import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as readAll } from 'node:stream/consumers';
import type { SecurityScheme } from '@holdword/protocol';
import { bearerToken, headerValue, unauthenticated, type Authentication } from '@holdword/runtime';
import { DEMO_CLIENT, DEMO_KEY, DEMO_TOKEN, type DemoLogin } from './demo-logins.ts';

const PREFIX = '/oauth';
const TOKEN_SECONDS = 3_600;
const CODE_SECONDS = 600;
const POLL_SECONDS = 1;

interface DeviceLogin {
  readonly userCode: string;
  isConfirmed: boolean;
}

/**
 * How callers authenticate with the demo server, and its authorization server: device codes, client credentials, refresh tokens
 * and OpenID discovery. Tokens live in memory.
 */
export class DemoAuthentication implements Authentication {
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  readonly challenge = 'Bearer';
  readonly #kind: DemoLogin;
  readonly #url: string;
  readonly #tokens = new Set<string>();
  readonly #renewals = new Set<string>();
  readonly #devices = new Map<string, DeviceLogin>();

  constructor(kind: DemoLogin, url: string) {
    this.#kind = kind;
    this.#url = url;
    this.securitySchemes = this.#schemes();
  }

  async authenticate(
    headers: Parameters<Authentication['authenticate']>[0],
  ): ReturnType<Authentication['authenticate']> {
    const key = headerValue(headers, 'x-api-key');
    const token = bearerToken(headers);
    const given = this.#kind === 'key' ? key : token;
    if (given === undefined) return undefined;
    const isGood =
      (this.#kind === 'key' && given === DEMO_KEY) ||
      (this.#kind === 'bearer' && given === DEMO_TOKEN) ||
      (this.#kind === 'oauth' && this.#tokens.has(given));
    if (!isGood)
      throw unauthenticated('The credential is wrong. The demo server says at its start which one is right.');
    return { id: 'demo', authenticated: true };
  }

  /** Handles the requests of the authorization server. */
  readonly handle = (
    path: string,
    query: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): boolean => {
    if (!path.startsWith(`${PREFIX}/`)) return false;
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
      response.end(JSON.stringify(body));
    };
    void readAll(request).then(
      (body) => {
        const form = new URLSearchParams(body);
        switch (path.slice(PREFIX.length)) {
          case '/.well-known/openid-configuration':
            return answer(200, {
              issuer: `${this.#url}${PREFIX}`,
              token_endpoint: `${this.#url}${PREFIX}/token`,
              device_authorization_endpoint: `${this.#url}${PREFIX}/device`,
            });
          case '/device':
            return answer(200, this.#startDevice());
          case '/confirm':
            return this.#confirm(new URLSearchParams(query).get('code') ?? '', request, response);
          case '/token': {
            const issued = this.#issue(form, request.headers.authorization);
            return answer('error' in issued ? 400 : 200, issued);
          }
          default:
            return answer(404, { error: 'not_found' });
        }
      },
      () => answer(400, { error: 'invalid_request' }),
    );
    return true;
  };

  #schemes(): Record<string, SecurityScheme> {
    const tokenUrl = `${this.#url}${PREFIX}/token`;
    const scopes = { a2a: 'Talk to the agent.' };
    switch (this.#kind) {
      case 'key':
        return { key: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } } };
      case 'bearer':
        return { token: { httpAuthSecurityScheme: { scheme: 'Bearer' } } };
      case 'oauth':
        return {
          device: {
            oauth2SecurityScheme: {
              flows: {
                deviceCode: { deviceAuthorizationUrl: `${this.#url}${PREFIX}/device`, tokenUrl, scopes },
              },
            },
          },
          client: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl, scopes } } } },
          openid: {
            openIdConnectSecurityScheme: {
              openIdConnectUrl: `${this.#url}${PREFIX}/.well-known/openid-configuration`,
            },
          },
        };
      case 'none':
      default:
        return {};
    }
  }

  #startDevice(): object {
    const deviceCode = crypto.randomUUID();
    const userCode = crypto.randomUUID().slice(0, 8).toUpperCase();
    this.#devices.set(deviceCode, { userCode, isConfirmed: false });
    const page = `${this.#url}${PREFIX}/confirm`;
    return {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?code=${userCode}`,
      expires_in: CODE_SECONDS,
      interval: POLL_SECONDS,
    };
  }

  /** GET shows a page with a button, POST is the button. */
  #confirm(code: string, { method }: IncomingMessage, response: ServerResponse): void {
    const login = [...this.#devices.values()].find(({ userCode }) => userCode === code);
    const isPost = method === 'POST';
    if (login !== undefined && isPost) login.isConfirmed = true;
    const text =
      login === undefined
        ? 'There is no such code.'
        : isPost
          ? 'Confirmed. You can close this page.'
          : `<form method="post">Code ${login.userCode}: <button>Confirm</button></form>`;
    response.writeHead(login === undefined ? 404 : 200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><title>Holdword demo login</title><p>${text}</p>`);
  }

  #issue(form: URLSearchParams, authorization: string | undefined): object {
    const basic = Buffer.from(`${DEMO_CLIENT.id}:${DEMO_CLIENT.secret}`).toString('base64');
    switch (form.get('grant_type') ?? '') {
      case 'client_credentials':
        return authorization === `Basic ${basic}` ? this.#token() : { error: 'invalid_client' };
      case 'refresh_token':
        return this.#renewals.delete(form.get('refresh_token') ?? '')
          ? this.#token()
          : { error: 'invalid_grant' };
      case 'urn:ietf:params:oauth:grant-type:device_code': {
        const code = form.get('device_code') ?? '';
        const login = this.#devices.get(code);
        if (login === undefined) return { error: 'expired_token' };
        if (!login.isConfirmed) return { error: 'authorization_pending' };
        this.#devices.delete(code);
        return this.#token();
      }
      default:
        return { error: 'unsupported_grant_type' };
    }
  }

  #token(): object {
    const token = crypto.randomUUID();
    const renewal = crypto.randomUUID();
    this.#tokens.add(token);
    this.#renewals.add(renewal);
    return { access_token: token, token_type: 'Bearer', expires_in: TOKEN_SECONDS, refresh_token: renewal };
  }
}
