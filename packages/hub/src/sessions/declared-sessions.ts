import type { JsonObject } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import type { RequestHeaders } from '@holdword/runtime';
import { HubError, invalidParameter } from '../wire/hub-error.ts';
import { configurationOf, firstHeader, firstText, metadataOf } from '../wire/read-fields.ts';
import type { HubRequestContext } from '../wire/request-context.ts';
import type { SessionSource } from './session.ts';

export const SESSION_ID_HEADERS = ['x-delx-session-id', 'x-session-id'] as const;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** What an agent may call a session. */
const CONTEXT_TOKEN = /^[a-zA-Z0-9_.:-]{1,120}$/;
const SESSION_FIELDS = ['session_id', 'sessionId'];
const CONTEXT_FIELDS = ['contextId', 'context_id'];

export interface DeclaredSession {
  readonly source: SessionSource;
  /** A UUID in lower case. */
  readonly value: string;
}

/** The session ids in a request, in order of precedence. Ids that are not UUIDs are skipped, except in the header. */
export function declaredSessionIds(requestContext: HubRequestContext, params: JsonObject): DeclaredSession[] {
  const metadata = metadataOf(params);
  const configuration = configurationOf(params);
  const candidates: [SessionSource, string | undefined][] = [
    ['header x-delx-session-id', sessionHeader(requestContext.headers)],
    ['params.session_id|sessionId', firstText(params, SESSION_FIELDS)],
    ['params.contextId (UUID)', firstText(params, CONTEXT_FIELDS)],
    ['metadata.session_id', firstText(metadata, SESSION_FIELDS)],
    ['metadata.contextId (UUID)', firstText(metadata, CONTEXT_FIELDS)],
    ['configuration.sessionId', firstText(configuration, SESSION_FIELDS)],
    ['configuration.contextId (UUID)', firstText(configuration, CONTEXT_FIELDS)],
    ['top-level contextId (UUID)', topLevelContext(requestContext, params)],
  ];
  return candidates.flatMap(([source, value]) =>
    value !== undefined && isUuid(value) ? [{ source, value: value.toLowerCase() }] : [],
  );
}

/** The parameter with which a request starts a session next to those that its agent has open. */
export const NEW_SESSION_FIELD = 'new_session';

export function asksForNewSession(params: JsonObject): boolean {
  return params[NEW_SESSION_FIELD] === true;
}

/** Throws if a request names a session and asks for a new one. */
export function requireOneSession(requestContext: HubRequestContext, params: JsonObject): void {
  const [declared] = asksForNewSession(params) ? declaredSessionIds(requestContext, params) : [];
  if (declared === undefined) return;
  throw new HubError('DELX-A2A-1004', 'The request names a session and asks for a new one.', {
    hint: `Send ${NEW_SESSION_FIELD} without a session id (${declared.source}).`,
    details: { field: NEW_SESSION_FIELD },
  });
}

/** The first context id that is not a UUID: the agent's own name for a session. */
export function declaredContextToken(
  requestContext: HubRequestContext,
  params: JsonObject,
): string | undefined {
  return [
    firstText(params, CONTEXT_FIELDS),
    firstText(metadataOf(params), CONTEXT_FIELDS),
    firstText(configurationOf(params), CONTEXT_FIELDS),
    topLevelContext(requestContext, params),
  ].find((value) => value !== undefined && !isUuid(value) && CONTEXT_TOKEN.test(value));
}

/** The session id in the header. Throws if it is not a UUID. */
export function sessionHeader(headers: RequestHeaders): string | undefined {
  const value = firstHeader(headers, SESSION_ID_HEADERS);
  if (value === undefined || isUuid(value)) return value;
  const hint = 'Send the session_id from an earlier answer unchanged, or omit the header.';
  throw invalidParameter('x-delx-session-id', 'a UUID', value, hint);
}

export function isUuid(value: string): boolean {
  return UUID.test(value);
}

function topLevelContext(requestContext: HubRequestContext, params: JsonObject): string | undefined {
  return requestContext.contextId ?? firstText(asObject(params['message']), CONTEXT_FIELDS);
}
