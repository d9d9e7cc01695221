import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startGateway } from '../../test/openclaw/harness/gateway.ts';
import { setup as installOpenClaw } from '../../test/openclaw/harness/install-openclaw.ts';
import { createOpenClawHome } from '../../test/openclaw/harness/openclaw-home.ts';
import { packedPlugin } from '../../test/openclaw/harness/packed-plugin.ts';
import { ScriptedModel } from '../../test/openclaw/harness/scripted-model.ts';
import { ANSWER, QUESTION } from './contender.ts';

export const TOKEN = 'token-of-the-bench';
const BARE_CHANNEL = fileURLToPath(new URL('./bare-channel', import.meta.url));

/** Two gateways with one model: both have the plain channel, one has OpenClaw's own A2A channel, the other ours. */
export interface Gateways {
  readonly bundledUrl: string;
  readonly oursUrl: string;
  close(): Promise<void>;
}

export async function startGateways(dataFolder: string): Promise<Gateways> {
  installOpenClaw();
  const model = await ScriptedModel.start();
  model.when(QUESTION, (answer) => answer.text(ANSWER));
  const { folder } = await packedPlugin('openclaw-inbound');
  const bundled = await startOne(model, [], { rateLimitPerMinute: 0, peers: { bench: { token: TOKEN } } });
  const ours = await startOne(model, [folder], {
    accounts: {
      default: {
        publicBaseUrl: 'http://127.0.0.1',
        // A direct message is not stored: only a task shows the cost of storage.
        agentStyle: 'task-generating',
        taskStore: { kind: 'sqlite', path: join(dataFolder, 'tasks') },
        auth: {
          peers: {
            bench: { keySha256: createHash('sha256').update(TOKEN).digest('hex'), tools: 'all' },
          },
        },
      },
    },
  });
  return {
    bundledUrl: bundled.url,
    oursUrl: ours.url,
    close: async () => {
      await Promise.all([bundled.close(), ours.close()]);
      await model.close();
    },
  };
}

interface RunningGateway {
  readonly url: string;
  close(): Promise<void>;
}

async function startOne(
  model: ScriptedModel,
  plugins: readonly string[],
  a2a: object,
): Promise<RunningGateway> {
  const home = await createOpenClawHome({
    model,
    configuration: {
      plugins: {
        load: { paths: [BARE_CHANNEL, ...plugins] },
        entries: { 'bare-channel': { enabled: true }, 'openclaw-a2a-inbound': { enabled: true } },
      },
      channels: { bare: { enabled: true }, a2a: { enabled: true, ...a2a } },
    },
  });
  const gateway = await startGateway(home);
  return {
    url: home.gatewayUrl.replace(/^ws/, 'http'),
    close: async () => {
      await gateway.kill();
      await home.remove();
    },
  };
}
