import { createHash } from 'node:crypto';
import type { Driver, DriverTarget } from '../../support/drivers/driver.ts';
import { openDrivers } from '../../support/drivers/open-drivers.ts';
import type { DriverChoice } from '../../support/drivers/open-driver.ts';
import { awaitCard } from '../harness/await-card.ts';
import { startGateway, type Gateway } from '../harness/gateway.ts';
import { createOpenClawHome, type HomeLocations, type OpenClawHome } from '../harness/openclaw-home.ts';
import { packedPlugin } from '../harness/packed-plugin.ts';
import { ScriptedModel } from '../harness/scripted-model.ts';

/** A gateway with the inbound plugin, and clients of it. */
export interface InboundGateway {
  readonly model: ScriptedModel;
  readonly home: OpenClawHome;
  /** `http://host:port` of the gateway. */
  readonly url: string;
  /** What the gateway has printed since it was started. */
  printed(): string;
  /** A client of the peer with the given key, or anonymous. */
  driver(choice: InboundChoice): Promise<Driver>;
  /** Kills it and starts it again. */
  killAndStart(whileDown?: () => void): Promise<void>;
  close(): Promise<void>;
}

export interface InboundChoice extends Partial<Pick<DriverChoice, 'version' | 'client' | 'binding'>> {
  readonly key?: string;
  readonly account?: string;
}

export interface InboundOptions {
  /** `channels.a2a.accounts`; each gets the gateway's address as `publicBaseUrl`. */
  readonly accounts: (home: HomeLocations) => Readonly<Record<string, object>>;
  /** Merged into the top level of OpenClaw's configuration. */
  readonly configuration?: Readonly<Record<string, unknown>>;
}

/** The digest of a key for the configuration. */
export function digestOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** The paths of an account: the defaults for `default`, separate ones for others. */
export function pathsOf(account: string): { agentCardPath: string; jsonRpcPath: string } {
  if (account === 'default') {
    return { agentCardPath: '/.well-known/agent-card.json', jsonRpcPath: '/a2a/jsonrpc' };
  }
  return { agentCardPath: `/${account}/agent-card.json`, jsonRpcPath: `/${account}/jsonrpc` };
}

export async function startInbound(options: InboundOptions): Promise<InboundGateway> {
  const model = await ScriptedModel.start();
  const { folder } = await packedPlugin('openclaw-inbound');
  const cardPaths: string[] = [];
  const home = await createOpenClawHome({
    model,
    configuration: (places) => {
      const accounts = accountsOf(options, places);
      cardPaths.push(...Object.keys(accounts).map((account) => pathsOf(account).agentCardPath));
      return {
        plugins: { load: { paths: [folder] }, entries: { 'openclaw-a2a-inbound': { enabled: true } } },
        channels: { a2a: { accounts } },
        ...options.configuration,
      };
    },
  });
  const url = home.gatewayUrl.replace(/^ws/, 'http');
  const start = async (): Promise<Gateway> => {
    const started = await startGateway(home);
    for (const path of cardPaths) await awaitCard(url, path);
    return started;
  };
  let gateway = await start();
  const clients = new Map<string, ReturnType<typeof openDrivers>>();
  return {
    model,
    home,
    url,
    printed: () => gateway.printed(),
    driver({ key, account = 'default', binding = 'JSONRPC', version = '1.0', client = 'sdk' }) {
      const drivers = clients.get(account) ?? openDrivers(targetOf(url, account));
      clients.set(account, drivers);
      return drivers.open(
        { binding, version, client },
        key === undefined ? {} : { authorization: `Bearer ${key}` },
      );
    },
    async killAndStart(whileDown) {
      await gateway.kill();
      whileDown?.();
      gateway = await start();
    },
    async close() {
      for (const drivers of clients.values()) await drivers.close();
      await gateway.kill();
      await model.close();
      await home.remove();
    },
  };
}

function accountsOf({ accounts }: InboundOptions, home: HomeLocations): Record<string, object> {
  const publicBaseUrl = `http://127.0.0.1:${home.gatewayPort}`;
  return Object.fromEntries(
    Object.entries(accounts(home)).map(([name, account]) => [name, { publicBaseUrl, ...account }]),
  );
}

function targetOf(url: string, account: string): DriverTarget {
  const { agentCardPath, jsonRpcPath } = pathsOf(account);
  return {
    baseUrl: url,
    cardPath: agentCardPath,
    jsonRpcUrl: `${url}${jsonRpcPath}`,
    restUrl: `${url}${jsonRpcPath.replace(/jsonrpc$/, 'rest')}`,
    grpcAddress: '',
  };
}
