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
} as const;
