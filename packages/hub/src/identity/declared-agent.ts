import type { JsonObject } from '@holdword/protocol';
import { headerValue, type RequestHeaders } from '@holdword/runtime';
import { configurationOf, firstHeader, firstText, metadataOf } from '../read-fields.ts';
import { acceptAgentId } from './names.ts';

export const AGENT_ID_HEADERS = ['x-delx-agent-id', 'x-agent-id', 'x-openclaw-agent-id'] as const;
export const AGENT_TOKEN_HEADERS = ['x-delx-agent-token', 'x-agent-token'] as const;
export const CONTROLLER_ID_HEADERS = ['x-delx-controller-id', 'x-controller-id'] as const;
export const CONTROLLER_TOKEN_HEADERS = ['x-delx-controller-token', 'x-controller-token'] as const;
export const SOURCE_HEADERS = ['x-delx-source', 'x-agent-source'] as const;

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
