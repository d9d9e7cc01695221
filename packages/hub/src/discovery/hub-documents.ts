import type { JsonObject } from '@holdword/protocol';
import { PROTOCOL_VERSIONS } from '@holdword/protocol/internal';
import type { HubContext } from '../hub-part.ts';
import {
  AGENT_ID_HEADERS,
  AGENT_TOKEN_HEADERS,
  CONTROLLER_ID_HEADERS,
  SOURCE_HEADERS,
} from '../identity/declared-agent.ts';
import { MAX_BATCH_CALLS } from '../mcp/batch.ts';
import { MODES, PROFILES } from '../messages/message-request.ts';
import { SESSION_ID_HEADERS } from '../sessions/declared-sessions.ts';
import { SESSION_PRECEDENCE } from '../sessions/session.ts';
import { HUB_ERROR_CODES } from '../wire/hub-error.ts';
import type { HubLinks } from '../wire/hub-links.ts';
import type { HubMethod, HubMount, HubRoute, ToolDescription } from '../wire/hub-method.ts';

/** Everything the discovery documents describe. Read on request, because all parts of the hub contribute to it. */
export interface Discoverable {
  readonly methods: readonly HubMethod[];
  readonly routes: readonly HubRoute[];
  readonly mounts: readonly HubMount[];
  readonly tools: readonly ToolDescription[];
}

/** Describes the methods at `/v1/a2a`: the result of `methods/list` and of `GET /api/v1/a2a/methods`. */
export function describeMethods(
  { links, settings }: Pick<HubContext, 'links' | 'settings'>,
  methods: readonly HubMethod[],
): JsonObject {
  const sorted = methods.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return {
    name: 'holdword-hub',
    version: 'v2',
    endpoint: links.a2a_endpoint,
    methods: sorted.map(({ name }) => name),
    method_specs: Object.fromEntries(sorted.map(({ name, spec }) => [name, spec])),
    access: {
      registration: settings.openRegistration ? 'open' : "requires an operator's API key",
      requests_per_minute: settings.requestsPerMinute === 0 ? null : settings.requestsPerMinute,
      body_bytes: settings.bodyBytes,
      standard_a2a: PROTOCOL_VERSIONS,
    },
    session_precedence: SESSION_PRECEDENCE,
    identity_auth: {
      headers: ['x-delx-agent-id', 'x-delx-agent-token'],
      aliases: [
        'x-agent-id',
        'x-openclaw-agent-id',
        'x-agent-token',
        'x-session-id',
        'x-controller-id',
        'x-agent-source',
      ],
      how: 'agents/register returns a token once. Send it together with the agent id in every request.',
    },
    philosophy:
      'Agents keep a stable id and session. What they hand over is evidence from the journal, not recollection.',
    discovery: links,
  };
}

/** The contract of the hub in one document, generated from the definitions the hub itself uses. */
export function specDocument({ links, settings, version }: HubContext, methods: JsonObject): JsonObject {
  return {
    name: 'Holdword hub',
    version,
    protocol: 'JSON-RPC 2.0',
    a2a_versions: PROTOCOL_VERSIONS,
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

/** The capabilities registry: every method and tool with its endpoint and description. */
export function capabilitiesDocument(
  { links, version }: HubContext,
  { methods, tools }: Pick<Discoverable, 'methods' | 'tools'>,
): JsonObject {
  return {
    name: 'Holdword hub',
    version,
    capabilities: [
      ...methods.map(({ name, spec }) => ({
        id: name,
        kind: 'a2a_method',
        endpoint: links.a2a_endpoint,
        description: spec.description,
      })),
      ...tools.map(({ name, description }) => ({
        id: name,
        kind: 'mcp_tool',
        endpoint: links.mcp_endpoint,
        description,
      })),
    ],
    identity: { registration: 'agents/register', auth_headers: ['x-delx-agent-id', 'x-delx-agent-token'] },
    isolation:
      'An agent sees only its own sessions and tasks. Its controller sees that they exist, but not their content.',
    links,
  };
}

/** All tools and their schemas, for clients that do not use MCP. */
export function toolCatalog(tools: readonly ToolDescription[], links: HubLinks): JsonObject {
  return {
    count: tools.length,
    mcp_endpoint: links.mcp_endpoint,
    tool_schema_url_template: links.tool_schema_url_template,
    tools: tools.map((tool) => toolEntry(tool, links)),
    batch: {
      method: 'tools/batch',
      max_calls: MAX_BATCH_CALLS,
      substitutions: ['$SESSION_ID', '${SESSION_ID}', '$prev.<tool>.<field>'],
    },
  };
}

export function toolEntry({ name, description, inputSchema }: ToolDescription, links: HubLinks): JsonObject {
  const { required } = inputSchema;
  return {
    name,
    description,
    // Every tool requires the token of an agent.
    access_mode: 'agent_token',
    required_params: Array.isArray(required) ? required : [],
    input_schema: inputSchema,
    schema_url: links.tool_schema_url_template.replace('{tool_name}', name),
  };
}
