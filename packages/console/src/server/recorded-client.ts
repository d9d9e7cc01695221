import type { GuardedClient, OpenedResponse } from '@holdword/net/internal';
import { isForbiddenUrlError } from '@holdword/net/internal';
import type { Exchange } from '../api/agents.ts';

/** What is shown of a body. */
const MOST_CHARACTERS = 64 * 1024;
const MASKED = '••••••';
const CREDENTIAL_HEADERS = /^(?:authorization|cookie|set-cookie|proxy-authorization)$|key|token|secret/i;

/** A client that remembers what it sent and received, without the credentials. */
export interface RecordedClient {
  readonly client: GuardedClient;
  readonly exchanges: readonly Exchange[];
}

/** Wraps a client, whose guard decides as before where it may connect to. */
export function recordExchanges(inner: GuardedClient, secrets: readonly string[]): RecordedClient {
  const exchanges: Exchange[] = [];
  const hide = (text: string): string =>
    secrets.reduce((hidden, secret) => hidden.replaceAll(secret, MASKED), text);
  const headersOf = (
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): Record<string, string> =>
    Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => {
        if (value === undefined) return [];
        return [[name, CREDENTIAL_HEADERS.test(name) ? MASKED : hide([value].flat().join(', '))]];
      }),
    );
  const client: GuardedClient = {
    ...inner,
    async open(request) {
      const startedAt = performance.now();
      const { url, method, headers, body } = request;
      const shown = body === undefined ? null : hide(body).slice(0, MOST_CHARACTERS);
      const exchange: Exchange = {
        at: new Date().toISOString(),
        milliseconds: 0,
        request: { method, url: hide(url), headers: headersOf(headers), body: shown },
        response: null,
        problem: null,
      };
      exchanges.push(exchange);
      try {
        const response = await inner.open(request);
        const received = {
          status: response.status,
          headers: headersOf(response.headers),
          body: '',
          cut: false,
        };
        exchange.response = received;
        return { ...response, body: readRecorded(response.body, received, exchange, startedAt, hide) };
      } catch (error) {
        exchange.problem = problemOf(error);
        throw error;
      } finally {
        exchange.milliseconds = Math.round(performance.now() - startedAt);
      }
    },
  };
  return { client, exchanges };
}

async function* readRecorded(
  body: OpenedResponse['body'],
  received: NonNullable<Exchange['response']>,
  exchange: Exchange,
  startedAt: number,
  hide: (text: string) => string,
): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder();
  try {
    for await (const chunk of body) {
      if (received.body.length < MOST_CHARACTERS) received.body += decoder.decode(chunk, { stream: true });
      else received.cut = true;
      yield chunk;
    }
  } finally {
    received.cut ||= received.body.length > MOST_CHARACTERS;
    received.body = hide(received.body).slice(0, MOST_CHARACTERS);
    exchange.milliseconds = Math.round(performance.now() - startedAt);
  }
}

/** Why there was no answer, in words for the operator. */
export function problemOf(error: unknown): string {
  if (isForbiddenUrlError(error)) {
    const advice = error.canBeAllowed
      ? 'Allow it with console.allowPrivate, or use a public address.'
      : 'Use another address.';
    return `This server may not call that address: ${error.message}. ${advice}`;
  }
  return error instanceof Error ? error.message : String(error);
}
