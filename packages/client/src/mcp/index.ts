/** Serve the tools of `A2ATools` over MCP. */
import '@holdword/net/internal/require-supported-node';
export { serveMcpHttp, type McpHttpOptions, type ServedMcp } from './serve-mcp-http.ts';
export { serveMcpStdio, type McpStdioOptions, type StdioMcp } from './serve-mcp-stdio.ts';
export { type McpTaskOptions } from './mcp-tasks.ts';
export { McpToolServer, type McpConnectionOptions, type McpToolServerOptions } from './mcp-tool-server.ts';
