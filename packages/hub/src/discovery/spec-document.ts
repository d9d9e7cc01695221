import type { JsonObject } from '@holdword/protocol';
import type { HubContext } from '../hub-part.ts';
import {
  AGENT_ID_HEADERS,
  AGENT_TOKEN_HEADERS,
  CONTROLLER_ID_HEADERS,
  SOURCE_HEADERS,
} from '../identity/declared-agent.ts';
import { MODES, PROFILES } from '../messages/message-request.ts';
import { SESSION_ID_HEADERS } from '../sessions/declared-sessions.ts';
import { HUB_ERROR_CODES } from '../wire/hub-error.ts';

/** The contract of the hub in one document, generated from the definitions the hub itself uses. */
export function specDocument({ links, settings, version }: HubContext, methods: JsonObject): JsonObject {
  return {
    name: 'Holdword hub',
    version,
    protocol: 'JSON-RPC 2.0',
    a2a_versions: ['1.0', '0.3'],
    ...methods,
    headers: {
      agent_id: AGENT_ID_HEADERS,
      agent_token: AGENT_TOKEN_HEADERS,
      session_id: SESSION_ID_HEADERS,
      controller_id: CONTROLLER_ID_HEADERS,
      source: SOURCE_HEADERS,
    },
    response_contract: { default: 'v2', legacy: 'v1', modes: MODES, profiles: PROFILES },
    errors: Object.entries(HUB_ERROR_CODES).map(([code, { rpc, http }]) => ({
      delx_code: code,
      json_rpc_code: rpc,
      http_status: http,
    })),
    limits: {
      body_bytes: settings.bodyBytes,
      requests_per_minute: settings.requestsPerMinute,
      session_ttl_seconds: settings.sessionSeconds,
      session_idle_seconds: settings.idleSeconds,
    },
    links,
  };
}
