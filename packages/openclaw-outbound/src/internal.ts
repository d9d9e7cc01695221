/** For Holdword's own programs, not covered by semver: the core of the plugin, without OpenClaw. */
export { readConfig, type OutboundConfig } from './config/read-config.ts';
export type { HostTool, PluginApi, ToolContext, ToolResult } from './host/plugin-api.ts';
export {
  createRemoteAgent,
  type ExecuteOptions,
  type RemoteAgent,
  type RemoteAgentOptions,
} from './remote-agent.ts';
