import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { noAuthentication, openMemoryStore, serveRuntime, startRuntime } from '@holdword/runtime';
import { noopLog } from '@holdword/runtime/internal';
import type { CommandInput } from '../command-line/command.ts';
import { CommandError } from '../usage-error.ts';
import { firstStopSignal } from '../serving/stop-reasons.ts';
import { demoServerAgent } from './demo-executor.ts';
import { DemoAuthentication } from './demo-login.ts';
import { LOGIN_HINTS, type DemoLogin } from './demo-logins.ts';

export interface DemoServerOptions {
  readonly port: number;
  readonly login: DemoLogin;
  readonly requiredExtension: string | undefined;
}

const HOST = '127.0.0.1';
const KEYS_PATH = '/demo-keys.json';

/** Serves an agent for trying clients, from memory and on this machine alone, until a signal stops it. */
export async function runDemoServer(
  { terminal }: CommandInput,
  { port: wanted, login, requiredExtension }: DemoServerOptions,
): Promise<number> {
  const stopRequested = firstStopSignal();
  // Its card names its own address in links and keys, so the port has to be known before.
  const port = wanted === 0 ? await freePort() : wanted;
  const url = `http://${HOST}:${port}`;
  const authentication = new DemoAuthentication(login, url);
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keyId = randomUUID();
  const keySet = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: keyId, alg: 'ES256', use: 'sig' }] };
  const extensions = requiredExtension === undefined ? [] : [{ uri: requiredExtension, required: true }];
  const runtime = await startRuntime({
    store: openMemoryStore(),
    executor: demoServerAgent({ extensions }),
    // Clients that are tried here listen here as well.
    push: { allowPrivate: ['127.0.0.0/8', 'localhost', '::1/128'] },
    log: noopLog,
  });
  try {
    const served = await serveRuntime({
      runtime,
      host: HOST,
      port,
      grpcPort: 0,
      authentication: login === 'none' ? noAuthentication() : authentication,
      signingKey: { key: privateKey, algorithm: 'ES256', keyId, keySetUrl: `${url}${KEYS_PATH}` },
      extendedAgent:
        login === 'none'
          ? undefined
          : async () => ({
              ...runtime.agent,
              description: `${runtime.agent.description} You are logged in.`,
            }),
      fallback: () => (path, query, request, response) =>
        sendKeys(path, response, keySet) || authentication.handle(path, query, request, response),
    }).catch((error: unknown) => {
      throw new CommandError(error instanceof Error ? error.message : String(error), { cause: error });
    });
    terminal.announce(
      [
        `${served.card.name} is ready, in memory and for this machine alone.`,
        '',
        `  card      ${served.cardUrl}`,
        `  gRPC      ${served.grpcAddress}`,
        `  login     ${LOGIN_HINTS[login]}`,
        `  say       ${served.card.skills.flatMap(({ examples = [] }) => examples.slice(0, 1)).join(' · ')}`,
        '',
        'Press Ctrl-C to stop.',
        '',
      ].join('\n'),
    );
    await stopRequested;
    await served.close({ graceMilliseconds: 500 });
    return 0;
  } finally {
    await runtime.stop({ graceMilliseconds: 0 });
  }
}

function sendKeys(path: string, response: ServerResponse, keySet: object): boolean {
  if (path !== KEYS_PATH) return false;
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(keySet));
  return true;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
