import { join } from 'node:path';
import { startGateway, type Gateway } from '../harness/gateway.ts';
import { awaitCard } from '../harness/await-card.ts';
import { createOpenClawHome, type OpenClawHome } from '../harness/openclaw-home.ts';
import { packedPlugin } from '../harness/packed-plugin.ts';
import { ScriptedModel } from '../harness/scripted-model.ts';

/** A gateway with both plugins: an account that requires keys, and the tool without targets. */
export interface PluginsGateway {
  readonly model: ScriptedModel;
  readonly home: OpenClawHome;
  readonly gateway: Gateway;
  /** `http://host:port` of the gateway. */
  readonly url: string;
  close(): Promise<void>;
}

export interface PluginsOptions {
  /** Of the account. Without peers and with `required` it does not start yet. */
  readonly auth: { readonly required: true; readonly peers?: object };
  /** Further settings of the account. */
  readonly account?: object;
  /** Merged into the top level of OpenClaw's configuration. */
  readonly configuration?: Readonly<Record<string, unknown>>;
}

export async function startPlugins(options: PluginsOptions): Promise<PluginsGateway> {
  const { auth, account, configuration } = options;
  const model = await ScriptedModel.start();
  const plugins = await Promise.all([packedPlugin('openclaw-inbound'), packedPlugin('openclaw-outbound')]);
  const home = await createOpenClawHome({
    model,
    configuration: ({ folder, gatewayPort }) => ({
      plugins: {
        load: { paths: plugins.map((plugin) => plugin.folder) },
        entries: {
          'openclaw-a2a-inbound': { enabled: true },
          'openclaw-a2a-outbound': { enabled: true, config: { enabled: true, targets: [] } },
        },
      },
      tools: { toolSearch: false, alsoAllow: ['remote_agent'] },
      channels: {
        a2a: {
          accounts: {
            default: {
              label: 'Claw',
              publicBaseUrl: `http://127.0.0.1:${gatewayPort}`,
              agentStyle: 'task-generating',
              taskStore: { kind: 'sqlite', path: join(folder, 'tasks') },
              auth,
              ...account,
            },
          },
        },
      },
      ...configuration,
    }),
  });
  const url = home.gatewayUrl.replace(/^ws/, 'http');
  const gateway = await startGateway(home);
  if (auth.peers !== undefined) await awaitCard(url);
  return {
    model,
    home,
    gateway,
    url,
    async close() {
      await gateway.kill();
      await model.close();
      await home.remove();
    },
  };
}
