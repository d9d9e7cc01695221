import { defineChannelPluginEntry } from './api.ts';
import { channelPlugin } from './channel/channel-plugin.ts';
import { LiveSessions } from './host/live-sessions.ts';
import { PLUGIN_ID } from './plugin-names.ts';

const sessions = LiveSessions.ofProcess();

/** What OpenClaw loads. */
export default defineChannelPluginEntry({
  id: PLUGIN_ID,
  name: 'A2A inbound',
  description: 'Lets other agents call this one over A2A (Agent2Agent) 1.0 and 0.3, durably.',
  plugin: channelPlugin(sessions),
  // Not registerFull: the gateway runs its agents with a copy of the plugin that it loads without that.
  registerCapabilities: (api) => api.on('before_tool_call', (_event, context) => sessions.judge(context)),
});
