/** For Holdword's own programs, not covered by semver: the core of the plugin, without OpenClaw. */
export { readConfig } from './config.ts';
export type { PluginApi } from './plugin-api.ts';
export {
  createRemoteAgent,
  type ExecuteOptions,
  type RemoteAgent,
  type RemoteAgentOptions,
} from './remote-agent.ts';
