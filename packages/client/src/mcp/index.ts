// The public API of @holdword/client/mcp: the tools of a model as an MCP server.
export { serveMcpHttp, type McpHttpOptions, type ServedMcp } from './serve-mcp-http.ts';
export { serveMcpStdio, type McpStdioOptions, type StdioMcp } from './serve-mcp-stdio.ts';
export { McpToolServer, type McpToolServerOptions } from './mcp-tool-server.ts';
