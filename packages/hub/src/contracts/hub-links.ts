import { HUB_PATHS } from './hub-paths.ts';

/** The public URLs of a hub, with their JSON field names. */
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
