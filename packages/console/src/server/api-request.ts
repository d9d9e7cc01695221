import type { BodyOf, ENDPOINTS, QueryOf, ResponseOf } from '../api/endpoints.ts';
import type { ROUTES, RouteName } from '../api/routes.ts';
import type { z } from 'zod';
import type { Viewer } from './sessions.ts';

/** A request of the API, validated, from a viewer who may send it. */
export interface ApiRequest<Name extends RouteName = RouteName> {
  /** Undefined only where a route is open to anyone. */
  readonly viewer: (typeof ROUTES)[Name]['access'] extends 'anyone' ? Viewer | undefined : Viewer;
  /** From the path. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: (typeof ENDPOINTS)[Name] extends { query: infer Schema extends z.ZodType }
    ? z.output<Schema>
    : Readonly<Record<string, never>>;
  readonly body: (typeof ENDPOINTS)[Name] extends { body: infer Schema extends z.ZodType }
    ? z.output<Schema>
    : undefined;
  /** The sequence number in `Last-Event-ID`, of a stream that continues. */
  readonly lastEventId: number | undefined;
  /** The remote address. */
  readonly peer: string | undefined;
  /** Fires when the client has disconnected or the console closes. */
  readonly signal: AbortSignal;
}

/** A file to download or to show. */
export interface FileAnswer {
  readonly name: string;
  readonly contentType: string;
  /** Shown by the browser instead of saved. */
  readonly inline: boolean;
  readonly pieces: AsyncIterable<string | Buffer>;
}

/** Complete server-sent events, in batches, pulled as fast as the client reads. */
export type EventBatches = AsyncIterable<string>;

export type AnswerOf<Name extends RouteName> = (typeof ROUTES)[Name]['answer'] extends 'json'
  ? ResponseOf<Name>
  : (typeof ROUTES)[Name]['answer'] extends 'events'
    ? EventBatches
    : FileAnswer;

/** Answers the requests of one route. */
export type ApiHandler<Name extends RouteName> = (request: ApiRequest<Name>) => Promise<AnswerOf<Name>>;

/** The routes that change a cookie are answered by the HTTP side itself. */
export type CookieRoute = 'signIn' | 'signOut';

/** What answers every other route. */
export type ApiHandlers = { readonly [Name in Exclude<RouteName, CookieRoute>]: ApiHandler<Name> };

/** One server-sent event. */
export function serverSentEvent(data: string, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
}

export type { BodyOf, QueryOf, ResponseOf };
