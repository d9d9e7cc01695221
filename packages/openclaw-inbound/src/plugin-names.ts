/** As OpenClaw's configuration names this plugin. */
export const PLUGIN_ID = 'openclaw-a2a-inbound';
/** As OpenClaw's configuration names the channel: `channels.a2a`. */
export const CHANNEL_ID = 'a2a';
