import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { numberAt, objectAt, parseJson, textAt, valueAt } from '../json-value.ts';
import { type OpenClawOptions, openClawStateFolder } from './openclaw-options.ts';

/** The URL of a gateway and its token. */
export interface GatewayAddress {
  /** `ws://` or `wss://`. */
  readonly url: string;
  readonly token: string | undefined;
  /** Whether it runs on this machine and can read the same files. */
  readonly isLocal: boolean;
}

const DEFAULT_PORT = 18_789;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * The gateway of OpenClaw: from the options, the environment (`OPENCLAW_GATEWAY_URL`, `OPENCLAW_GATEWAY_TOKEN`,
 * `OPENCLAW_GATEWAY_PORT`) or the configuration of OpenClaw, in this order. Throws if the token would be sent unencrypted to
 * another machine.
 */
export async function findGateway(
  given: OpenClawOptions['gateway'],
  environment: NodeJS.ProcessEnv,
): Promise<GatewayAddress> {
  const configured = objectAt(await readConfiguration(environment), 'gateway');
  const url = given?.url ?? environment['OPENCLAW_GATEWAY_URL'] ?? configuredUrl(configured, environment);
  const token =
    given?.token ?? environment['OPENCLAW_GATEWAY_TOKEN'] ?? configuredToken(configured, environment);
  const { protocol, hostname } = parseUrl(url);
  const isLocal = LOOPBACK.test(hostname);
  if (protocol === 'ws:' && !isLocal) {
    throw new Error(
      `The OpenClaw gateway at ${hostname} is on another machine. Use a wss:// URL, so that the token is not sent ` +
        'unencrypted.',
    );
  }
  return { url, token, isLocal };
}

function parseUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === 'ws:' || parsed?.protocol === 'wss:') return parsed;
  throw new Error(`Invalid URL of the OpenClaw gateway: expected a ws:// or wss:// URL, found ${url}.`);
}

/** Undefined if there is none, or if it is not plain JSON. */
async function readConfiguration(environment: NodeJS.ProcessEnv): Promise<unknown> {
  const path = environment['OPENCLAW_CONFIG_PATH'] || join(openClawStateFolder(environment), 'openclaw.json');
  return parseJson(await readFile(path, 'utf8').catch(() => ''));
}

function isRemote(configured: unknown): boolean {
  return textAt(configured, 'mode') === 'remote';
}

function configuredUrl(configured: unknown, environment: NodeJS.ProcessEnv): string {
  const remote = textAt(configured, 'remote', 'url');
  if (isRemote(configured) && remote !== undefined) return remote;
  const scheme = valueAt(configured, 'tls', 'enabled') === true ? 'wss' : 'ws';
  const port = environment['OPENCLAW_GATEWAY_PORT'] ?? numberAt(configured, 'port') ?? DEFAULT_PORT;
  return `${scheme}://127.0.0.1:${port}`;
}

function configuredToken(configured: unknown, environment: NodeJS.ProcessEnv): string | undefined {
  const token = isRemote(configured)
    ? textAt(configured, 'remote', 'token')
    : textAt(configured, 'auth', 'token');
  const variable = /^\$\{(\w+)\}$/.exec(token ?? '')?.[1];
  return variable === undefined ? token : environment[variable];
}
