import { defineChannelPluginEntry } from './api.ts';
import { accountsOf, channelPlugin } from './channel/channel-plugin.ts';
import { logUnstarted } from './channel/unstarted-accounts.ts';
import { addInstructions } from './host/agent-instructions.ts';
import { LiveSessions } from './host/live-sessions.ts';
import { PLUGIN_ID } from './plugin-names.ts';

const sessions = LiveSessions.shared();

/** The plugin that OpenClaw loads. */
export default defineChannelPluginEntry({
  id: PLUGIN_ID,
  name: 'A2A inbound',
  description: 'Serves OpenClaw agents over A2A (Agent2Agent) 1.0 and 0.3, with durable tasks.',
  plugin: channelPlugin(sessions),
  // Not in registerFull: the gateway runs agents with a copy of the plugin for which registerFull is not called.
  registerCapabilities: (api) => {
    api.on('before_tool_call', (call, context) => sessions.checkToolCall(call, context));
    api.on('gateway_start', (_event, { config = {} }) => logUnstarted(api.logger, accountsOf(config)));
    api.registerHook('agent:bootstrap', addInstructions, {
      name: `${PLUGIN_ID}-instructions`,
      description: 'Adds AGENTS.md to the prompt of callers without private files.',
    });
  },
});
