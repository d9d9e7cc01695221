/** The addresses of one hub, in the names of the wire. */
export interface HubLinks {
  readonly a2a_endpoint: string;
  readonly mcp_endpoint: string;
  readonly methods_url: string;
  readonly status_url_template: string;
  readonly tools_catalog_url: string;
  readonly tool_schema_url_template: string;
  readonly capabilities_url: string;
  readonly reliability_url: string;
  readonly spec_url: string;
  readonly openapi_url: string;
  readonly agent_card_url: string;
}

/** `baseUrl` is where others reach the hub, without a slash at the end. */
export function hubLinks(baseUrl: string): HubLinks {
  return {
    a2a_endpoint: `${baseUrl}/v1/a2a`,
    mcp_endpoint: `${baseUrl}/v1/mcp`,
    methods_url: `${baseUrl}/api/v1/a2a/methods`,
    status_url_template: `${baseUrl}/api/v1/status?session_id={session_id}`,
    tools_catalog_url: `${baseUrl}/api/v1/tools`,
    tool_schema_url_template: `${baseUrl}/api/v1/tools/{tool_name}`,
    capabilities_url: `${baseUrl}/.well-known/delx-capabilities.json`,
    reliability_url: `${baseUrl}/api/v1/reliability`,
    spec_url: `${baseUrl}/spec/a2a.json`,
    openapi_url: `${baseUrl}/openapi.json`,
    agent_card_url: `${baseUrl}/.well-known/agent-card.json`,
  };
}
