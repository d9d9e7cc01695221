/** The plugin id in OpenClaw's configuration. */
export const PLUGIN_ID = 'openclaw-a2a-inbound';
/** The channel id in OpenClaw's configuration: `channels.a2a`. */
export const CHANNEL_ID = 'a2a';
