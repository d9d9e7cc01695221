import type { JsonObject } from '@holdword/protocol';
import { headerValue, type RequestHeaders } from '@holdword/runtime';
import { invalidParameter } from '../wire/hub-error.ts';
import { configurationOf, firstHeader, firstText, metadataOf } from '../wire/read-fields.ts';

export const AGENT_ID_HEADERS = ['x-delx-agent-id', 'x-agent-id', 'x-openclaw-agent-id'] as const;
export const AGENT_TOKEN_HEADERS = ['x-delx-agent-token', 'x-agent-token'] as const;
export const CONTROLLER_ID_HEADERS = ['x-delx-controller-id', 'x-controller-id'] as const;
export const CONTROLLER_TOKEN_HEADERS = ['x-delx-controller-token', 'x-controller-token'] as const;
export const SOURCE_HEADERS = ['x-delx-source', 'x-agent-source'] as const;

const AGENT_ID = /^[a-zA-Z0-9_.-]{1,96}$/;
const ID_FIELDS = ['agent_id', 'agentId'];
const OPENCLAW_AGENT = 'openclaw-agent';

/** The agent id that a request declares. It is proved only by a token. */
export function declaredAgentId(headers: RequestHeaders, params: JsonObject): string | undefined {
  const declared =
    firstHeader(headers, AGENT_ID_HEADERS) ??
    firstText(params, ID_FIELDS) ??
    firstText(metadataOf(params), ID_FIELDS) ??
    firstText(configurationOf(params), ID_FIELDS);
  return declared === undefined ? undefined : acceptAgentId(declared);
}

/** The default agent id of a known client program that declares none. */
export function programAgentId(headers: RequestHeaders): string | undefined {
  return headerValue(headers, 'user-agent')?.toLowerCase().includes('openclaw') === true
    ? OPENCLAW_AGENT
    : undefined;
}

export function agentToken(headers: RequestHeaders): string | undefined {
  return firstHeader(headers, AGENT_TOKEN_HEADERS);
}

/** Ids are accepted as they are or rejected, never normalized: two ids that normalize to one would be the same agent. */
export function acceptAgentId(value: string): string {
  return accept('agent_id', value, AGENT_ID, '1 to 96 letters, digits, "_", "." or "-"');
}

export function isAgentId(value: string): boolean {
  return AGENT_ID.test(value);
}

export function acceptControllerId(value: string): string {
  return accept(
    'controller_id',
    value,
    /^[a-zA-Z0-9_.:-]{1,120}$/,
    '1 to 120 letters, digits, "_", ".", ":" or "-"',
  );
}

function accept(field: string, value: string, pattern: RegExp, expected: string): string {
  if (pattern.test(value)) return value;
  throw invalidParameter(field, expected, value, `Choose a valid ${field} and use it in every request.`);
}
