/** The paths of the hub, relative to its base URL. `{name}` is a path parameter. */
export const HUB_PATHS = {
  a2a: '/v1/a2a',
  mcp: '/v1/mcp',
  methods: '/api/v1/a2a/methods',
  methodsAlias: '/api/v1/a2a-methods',
  status: '/api/v1/status',
  fleet: '/api/v1/fleet',
  tools: '/api/v1/tools',
  tool: '/api/v1/tools/{tool_name}',
  reliability: '/api/v1/reliability',
  capabilities: '/.well-known/delx-capabilities.json',
  spec: '/spec/a2a.json',
  openApi: '/openapi.json',
  agents: '/hub/v1/agents',
  sessions: '/hub/v1/sessions',
  handoffs: '/hub/v1/handoffs',
  alarms: '/hub/v1/alarms',
} as const;

/** The public URLs of a hub, with their JSON field names. */
export interface HubLinks {
  /** JSON-RPC: the methods of the hub and of A2A. */
  readonly a2a_endpoint: string;
  /** MCP over streamable HTTP. */
  readonly mcp_endpoint: string;
  /** The methods and their parameters. */
  readonly methods_url: string;
  /** The status of a session, with the placeholder `{session_id}`. */
  readonly status_url_template: string;
  /** The MCP tools and their schemas. */
  readonly tools_catalog_url: string;
  /** One MCP tool, with the placeholder `{tool_name}`. */
  readonly tool_schema_url_template: string;
  /** The capabilities registry. */
  readonly capabilities_url: string;
  /** Measured reliability. */
  readonly reliability_url: string;
  /** The contract of the hub. */
  readonly spec_url: string;
  /** The OpenAPI document. */
  readonly openapi_url: string;
  /** The agent card. */
  readonly agent_card_url: string;
}

/** Builds the public URLs from the base URL, which has no trailing slash. */
export function hubLinks(baseUrl: string): HubLinks {
  return {
    a2a_endpoint: `${baseUrl}${HUB_PATHS.a2a}`,
    mcp_endpoint: `${baseUrl}${HUB_PATHS.mcp}`,
    methods_url: `${baseUrl}${HUB_PATHS.methods}`,
    status_url_template: `${baseUrl}${HUB_PATHS.status}?session_id={session_id}`,
    tools_catalog_url: `${baseUrl}${HUB_PATHS.tools}`,
    tool_schema_url_template: `${baseUrl}${HUB_PATHS.tool}`,
    capabilities_url: `${baseUrl}${HUB_PATHS.capabilities}`,
    reliability_url: `${baseUrl}${HUB_PATHS.reliability}`,
    spec_url: `${baseUrl}${HUB_PATHS.spec}`,
    openapi_url: `${baseUrl}${HUB_PATHS.openApi}`,
    agent_card_url: `${baseUrl}/.well-known/agent-card.json`,
  };
}
