// The plugin as OpenClaw loads it.
import { join } from 'node:path';
import { asObject } from '@holdword/protocol/internal';
import { readConfig } from './config.ts';
import type { PluginApi } from './plugin-api.ts';
import { createRemoteAgent, createUnusableRemoteAgent, type RemoteAgent } from './remote-agent.ts';

export type * from './contract.ts';

const PLUGIN_ID = 'openclaw-a2a-outbound';

export default {
  id: PLUGIN_ID,
  name: 'A2A outbound',
  description: 'Adds one tool, remote_agent, that delegates work to other agents over A2A.',
  register,
};

/**
 * Registers `remote_agent` if the plugin's configuration enables it. If the configuration cannot be used, that is logged, and the
 * tool says so: OpenClaw checks a configuration by the schema in the manifest, which cannot tell that two aliases are the same.
 */
function register(api: PluginApi): void {
  const remoteAgent = openRemoteAgent(api);
  if (remoteAgent === undefined) {
    api.logger.info(
      'remote_agent is disabled. Set "enabled": true in the plugin configuration to enable it.',
    );
    return;
  }
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

/** Undefined if the configuration does not enable the tool. */
function openRemoteAgent({ pluginConfig, logger, runtime }: PluginApi): RemoteAgent | undefined {
  if (asObject(pluginConfig)['enabled'] !== true) return undefined;
  try {
    return createRemoteAgent({
      config: readConfig(pluginConfig),
      stateFolder: join(runtime.state.resolveStateDir(process.env), PLUGIN_ID),
      logger,
    });
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    logger.warn(`remote_agent cannot be used, and every call says so: ${problem}`);
    return createUnusableRemoteAgent(problem);
  }
}
