import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject } from '@holdword/protocol/internal';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { ScriptedModel } from './scripted-model.ts';

const inWorkspace = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** OpenClaw supports fewer Node.js versions than Holdword. */
const NODE = inWorkspace('node_modules/node/bin/node');
const OPENCLAW = inWorkspace('test/openclaw/node_modules/openclaw/openclaw.mjs');
/** Shared by all runs: halves the start time. */
const COMPILE_CACHE = inWorkspace('test/openclaw/node_modules/.cache/openclaw');
const GATEWAY_TOKEN = 'token-of-the-gateway-in-the-tests';

/** An isolated OpenClaw: configuration, sessions, workspace and logs are in a temporary folder. */
export interface OpenClawHome {
  readonly folder: string;
  /** The workspace of its agent. */
  readonly workspace: string;
  readonly stateFolder: string;
  /** An executable that runs OpenClaw like `openclaw`. */
  readonly command: string;
  /** Makes OpenClaw use this home, and puts this `openclaw` on the PATH. */
  readonly environment: Readonly<Record<string, string>>;
  readonly gatewayUrl: string;
  readonly gatewayToken: string;
  remove(): Promise<void>;
}

export interface OpenClawHomeOptions {
  readonly model: ScriptedModel;
  /** Merged into the configuration, for example `plugins` and `channels`; may depend on the locations. */
  readonly configuration?: Configuration | ((home: HomeLocations) => Configuration);
}

export interface HomeLocations {
  readonly folder: string;
  readonly gatewayPort: number;
}

type Configuration = Readonly<Record<string, unknown>>;

export async function createOpenClawHome(options: OpenClawHomeOptions): Promise<OpenClawHome> {
  const temporary = await temporaryFolder();
  const folder = temporary.path;
  const workspace = join(folder, 'workspace');
  const stateFolder = join(folder, 'state');
  const temporaryFiles = join(folder, 'tmp');
  const configFile = join(folder, 'openclaw.json');
  const command = join(folder, 'openclaw');
  const gatewayPort = await freePort();
  await Promise.all([workspace, stateFolder, temporaryFiles].map((path) => mkdir(path)));
  await writeFile(command, `#!/bin/sh\nexec '${NODE}' '${OPENCLAW}' "$@"\n`, { mode: 0o755 });
  const { model, configuration: added = {} } = options;
  const configuration = merge(
    baseConfiguration({ folder, workspace, gatewayPort, modelUrl: model.baseUrl }),
    typeof added === 'function' ? added({ folder, gatewayPort }) : added,
  );
  // As OpenClaw writes it.
  await writeFile(configFile, JSON.stringify(configuration), { mode: 0o600 });
  return {
    folder,
    workspace,
    stateFolder,
    command,
    environment: {
      PATH: [folder, process.env['PATH']].join(delimiter),
      HOME: folder,
      TMPDIR: temporaryFiles,
      OPENCLAW_STATE_DIR: stateFolder,
      OPENCLAW_CONFIG_PATH: configFile,
      OPENCLAW_HIDE_BANNER: '1',
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      NO_COLOR: '1',
    },
    gatewayUrl: `ws://127.0.0.1:${gatewayPort}`,
    gatewayToken: GATEWAY_TOKEN,
    remove: () => temporary.remove(),
  };
}

interface Locations extends HomeLocations {
  readonly workspace: string;
  readonly modelUrl: string;
}

function baseConfiguration({ folder, workspace, gatewayPort, modelUrl }: Locations): Record<string, unknown> {
  const model = {
    id: 'scripted',
    name: 'Scripted',
    // OpenClaw then rejects every thinking level except `off`: nothing of ours may send one unless it is configured.
    reasoning: false,
    input: ['text'],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 128_000,
    maxTokens: 8_192,
  };
  return {
    agents: { defaults: { workspace, skipBootstrap: true, model: { primary: 'test/scripted' } } },
    models: {
      mode: 'merge',
      providers: {
        test: { baseUrl: modelUrl, apiKey: 'unused', api: 'openai-completions', models: [model] },
      },
    },
    // Otherwise most tools are only available through a search tool.
    tools: { toolSearch: false },
    gateway: {
      mode: 'local',
      port: gatewayPort,
      bind: 'loopback',
      auth: { mode: 'token', token: GATEWAY_TOKEN },
      controlUi: { enabled: false },
    },
    logging: { file: join(folder, 'openclaw.log') },
    telemetry: { enabled: false },
    update: { checkOnStart: false },
    discovery: { mdns: { mode: 'off' } },
  };
}

function merge(base: Configuration, added: Configuration): Configuration {
  const merged = Object.entries(added).map(([key, value]) => {
    const own = base[key];
    return [key, isObject(own) && isObject(value) ? merge(own, value) : value];
  });
  return { ...base, ...Object.fromEntries(merged) };
}

/** The port is part of OpenClaw's configuration, so it is chosen before the gateway starts. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
