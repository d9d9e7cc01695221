// The plugin as OpenClaw loads it, and the tool itself for programs that run without OpenClaw.
import { PLUGIN_ID, register } from './register.ts';

export { readConfig, type OutboundConfig } from './config/read-config.ts';
export type { HostTool, PluginApi, ToolContext, ToolResult } from './host/plugin-api.ts';
export {
  createRemoteAgent,
  type ExecuteOptions,
  type RemoteAgent,
  type RemoteAgentOptions,
} from './remote-agent.ts';

export default {
  id: PLUGIN_ID,
  name: 'A2A outbound',
  description: 'Adds one tool, remote_agent, that delegates work to other agents over A2A.',
  register,
};
