// Requests to the server, typed by the route they use.
import { API_PATH, pathOf, ROUTES, type RouteName } from '../../api/routes.ts';
import type { BodyOf, QueryOf, ResponseOf } from '../../api/endpoints.ts';
import { signal } from '@preact/signals';
import { ApiError } from './problem.ts';
import { base } from './router.ts';

/** Set when the server says that nobody is signed in any more. */
export const signedOut = signal(false);

type Parameters = Readonly<Record<string, string>>;
type QueryValues = Readonly<Record<string, unknown>>;

export interface CallOptions<Name extends RouteName> {
  readonly path?: Parameters | undefined;
  readonly query?: QueryOf<Name> | undefined;
  readonly body?: BodyOf<Name> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The address of a request, also for downloads and streams. */
export function urlOf(name: RouteName, path: Parameters = {}, query: QueryValues = {}): string {
  const url = new URL(base.pathname.replace(/\/$/, '') + API_PATH + pathOf(name, path), base);
  for (const [key, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null && each !== '') url.searchParams.append(key, String(each));
    }
  }
  return url.href;
}

/**
 * Sends a request and gives what it answers.
 *
 * @throws ApiError if the server answers with an error, TypeError if it does not answer.
 */
export async function call<Name extends RouteName>(
  name: Name,
  { path, query, body, signal: abort }: CallOptions<Name> = {},
): Promise<ResponseOf<Name>> {
  const response = await fetch(urlOf(name, path, query ?? {}), {
    method: ROUTES[name].method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
    signal: abort ?? null,
    redirect: 'error',
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer as ResponseOf<Name>;
  if (response.status === 401) signedOut.value = true;
  throw errorIn(response.status, answer);
}

function errorIn(status: number, answer: unknown): ApiError {
  if (typeof answer === 'object' && answer !== null && 'error' in answer) {
    const { error } = answer;
    if (typeof error === 'object' && error !== null && 'message' in error && 'code' in error)
      return new ApiError(status, String(error.code), String(error.message));
  }
  return new ApiError(
    status,
    'UNEXPECTED',
    `The server answered with status ${status}.`,
    'Look at its log; if it is behind a proxy, at that of the proxy.',
  );
}
