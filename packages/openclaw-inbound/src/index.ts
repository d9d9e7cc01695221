import { defineChannelPluginEntry } from './api.ts';
import { channelPlugin } from './channel/channel-plugin.ts';
import { PLUGIN_ID } from './plugin-names.ts';

/** What OpenClaw loads. */
export default defineChannelPluginEntry({
  id: PLUGIN_ID,
  name: 'A2A inbound',
  description: 'Lets other agents call this one over A2A (Agent2Agent) 1.0 and 0.3, durably.',
  plugin: channelPlugin(),
});
