// The plugin as OpenClaw loads it.
import { join } from 'node:path';
import { readConfig } from './config.ts';
import type { PluginApi } from './plugin-api.ts';
import { createRemoteAgent } from './remote-agent.ts';

export type * from './contract.ts';

const PLUGIN_ID = 'openclaw-a2a-outbound';

export default {
  id: PLUGIN_ID,
  name: 'A2A outbound',
  description: 'Adds one tool, remote_agent, that delegates work to other agents over A2A.',
  register,
};

/**
 * Registers `remote_agent` if the plugin's configuration enables it.
 *
 * @throws Error that names the invalid field if the configuration is invalid.
 */
function register(api: PluginApi): void {
  const config = readConfig(api.pluginConfig);
  if (!config.enabled) {
    api.logger.info(
      'remote_agent is disabled. Set "enabled": true in the plugin configuration to enable it.',
    );
    return;
  }
  const remoteAgent = createRemoteAgent({
    config,
    stateFolder: join(api.runtime.state.resolveStateDir(process.env), PLUGIN_ID),
    logger: api.logger,
  });
  const { definition } = remoteAgent;
  api.registerTool(
    ({ sessionKey }) => ({
      ...definition,
      resultContentSource: 'network',
      catalogMode: 'direct-only',
      execute: (toolCallId, params, signal, onUpdate) =>
        remoteAgent.execute(toolCallId, params, { signal, onUpdate, sessionKey }),
    }),
    { name: definition.name, optional: true },
  );
  if (api.registrationMode === 'full') {
    api.registerService({ id: PLUGIN_ID, start: () => {}, stop: () => remoteAgent.close() });
  }
}
