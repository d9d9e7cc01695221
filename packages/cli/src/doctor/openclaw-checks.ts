import { existsSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { isLoopback } from '@holdword/net/internal';
import { asObject, shorten } from '@holdword/protocol/internal';
import { blocking, fine, problem, warning, type Check, type Finding } from './check.ts';
import { INBOUND, keptAccountsFile, OUTBOUND, type OpenClawConfig } from '../openclaw/openclaw-config.ts';

const GATEWAY_MILLISECONDS = 5_000;
/** The paths of an account that names no others. */
const PATHS = { agentCardPath: '/.well-known/agent-card.json', jsonRpcPath: '/a2a/jsonrpc' };

/** OpenClaw with the plugins of Holdword: its configuration, and whether its gateway answers. */
export const OPENCLAW_CHECKS: readonly Check<OpenClawConfig>[] = [
  { id: 'openclaw-config', run: checkConfig },
  { id: 'openclaw-permissions', run: checkPermissions },
  {
    id: 'openclaw-inbound-plugin',
    run: (subject) => checkPlugin(subject, INBOUND, subject.accounts().length > 0),
  },
  { id: 'openclaw-bundled-channel', run: checkBundledChannel },
  { id: 'openclaw-accounts', run: checkAccounts },
  { id: 'openclaw-bindings', run: checkBindings },
  { id: 'openclaw-access', run: checkAccess },
  { id: 'openclaw-bind', run: checkBind },
  {
    id: 'openclaw-outbound-plugin',
    run: (subject) => checkPlugin(subject, OUTBOUND, outbound(subject)['enabled'] === true),
  },
  { id: 'openclaw-targets', run: checkTargets },
  { id: 'openclaw-gateway', run: checkGateway },
];

async function checkConfig(subject: OpenClawConfig): Promise<Finding | undefined> {
  try {
    await subject.load();
    return fine(`${subject.file} can be read.`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return blocking(
      'OpenClaw',
      `${subject.file} cannot be read: ${why}.`,
      'Correct the file, and check it with: openclaw config validate',
    );
  }
}

async function checkPermissions({ file }: OpenClawConfig): Promise<Finding | undefined> {
  if (process.platform === 'win32' || (statSync(file).mode & 0o077) === 0) return undefined;
  return warning(
    'OpenClaw',
    `Other users of this machine can read ${file}, with its tokens.`,
    `chmod 600 ${file}`,
  );
}

/** Whether OpenClaw loads a plugin that the configuration expects. */
async function checkPlugin(
  subject: OpenClawConfig,
  plugin: string,
  isExpected: boolean,
): Promise<Finding | undefined> {
  if (!isExpected) return undefined;
  const install =
    plugin === INBOUND
      ? `holdword openclaw install @holdword/${plugin}`
      : `openclaw plugins install @holdword/${plugin}`;
  if (!subject.isInstalled(plugin))
    return problem('OpenClaw', `The plugin ${plugin} is configured, but not installed.`, install);
  const enable = plugin === INBOUND ? 'holdword openclaw enable' : `openclaw plugins enable ${plugin}`;
  if (subject.at('plugins')['enabled'] === false) {
    return problem(
      'OpenClaw',
      'plugins.enabled is false: OpenClaw loads no plugins.',
      'openclaw config set plugins.enabled true',
    );
  }
  if (subject.at('plugins', 'entries', plugin)['enabled'] === false) {
    return problem('OpenClaw', `The plugin ${plugin} is disabled.`, enable);
  }
  const allowed = subject.list(['plugins'], 'allow');
  if (allowed !== undefined && !allowed.includes(plugin)) {
    return problem(
      'OpenClaw',
      `plugins.allow does not list ${plugin}, so OpenClaw does not load it.`,
      `Add "${plugin}" to plugins.allow in ${subject.file}`,
    );
  }
  if (subject.list(['plugins'], 'deny')?.includes(plugin)) {
    return problem(
      'OpenClaw',
      `plugins.deny lists ${plugin}, so OpenClaw does not load it.`,
      `Remove it from plugins.deny in ${subject.file}`,
    );
  }
  return fine(`The plugin ${plugin} is installed and enabled.`);
}

/** OpenClaw checks channels.a2a with the schema of its bundled channel if the channel is off, and refuses accounts then. */
async function checkBundledChannel(subject: OpenClawConfig): Promise<Finding | undefined> {
  const channel = subject.at('channels', 'a2a');
  const hasAccounts = Object.keys(asObject(channel['accounts'])).length > 0;
  if (hasAccounts && channel['enabled'] === false && subject.list(['plugins'], 'allow') === undefined) {
    return problem(
      'OpenClaw',
      'channels.a2a.enabled is false next to accounts: OpenClaw then uses the schema of its bundled channel and refuses the accounts.',
      `Remove that line from ${subject.file}; to stop one account, set its own enabled to false`,
    );
  }
  if (
    !hasAccounts &&
    channel['peers'] !== undefined &&
    channel['enabled'] !== false &&
    !subject.isInstalled(INBOUND)
  ) {
    return warning(
      'OpenClaw',
      "OpenClaw's bundled A2A channel serves: without streams, cancel and files, and its tasks are lost with a restart.",
      `Replace it, with the same peers: holdword openclaw install @holdword/${INBOUND}`,
    );
  }
  return undefined;
}

async function checkAccounts(subject: OpenClawConfig): Promise<Finding | undefined> {
  const kept = keptAccountsFile(subject.file);
  if (subject.accounts().length === 0 && existsSync(kept)) {
    return warning(
      'OpenClaw',
      `The accounts of the channel are set aside in ${kept}, since the plugin was disabled or removed: nobody can call OpenClaw.`,
      subject.isInstalled(INBOUND)
        ? 'holdword openclaw enable'
        : `holdword openclaw install @holdword/${INBOUND}`,
    );
  }
  const paths = new Map<string, string>();
  for (const [name, account] of subject.accounts()) {
    const where = `channels.a2a.accounts.${name}`;
    const { publicBaseUrl } = account;
    if (typeof publicBaseUrl !== 'string' || !URL.canParse(publicBaseUrl)) {
      return problem(
        'OpenClaw',
        `${where}.publicBaseUrl is missing: the account does not start.`,
        `openclaw config set ${where}.publicBaseUrl https://HOST`,
      );
    }
    const { required, peers } = asObject(account['auth']);
    if (required === true && Object.keys(asObject(peers)).length === 0) {
      return problem(
        'OpenClaw',
        `${where} requires a key, and no peer has one: the account does not start.`,
        'Let somebody in: holdword pair --openclaw',
      );
    }
    for (const path of [pathOf(account, 'agentCardPath'), pathOf(account, 'jsonRpcPath')]) {
      const other = paths.get(path);
      if (other !== undefined) {
        return problem(
          'OpenClaw',
          `The accounts ${other} and ${name} both use the path ${path}: one of them does not start.`,
          `Give ${where} another agentCardPath and jsonRpcPath`,
        );
      }
      paths.set(path, name);
    }
    const store = asObject(account['taskStore']);
    const folder = store['path'];
    if (
      typeof folder === 'string' &&
      (!isAbsolute(folder) || (existsSync(folder) && !statSync(folder).isDirectory()))
    ) {
      return problem(
        'OpenClaw',
        `${where}.taskStore.path is not the absolute path of a folder: ${shorten(folder, 100)}.`,
        `openclaw config set ${where}.taskStore.path /FOLDER`,
      );
    }
  }
  return paths.size === 0 ? undefined : fine('Every account has an address, paths and a store.');
}

/** An account that names an unknown agent does not start, and a binding of an unknown account is never used. */
async function checkBindings(subject: OpenClawConfig): Promise<Finding | undefined> {
  const accounts = subject.accounts();
  if (accounts.length === 0) return undefined;
  const entries = subject.at('agents', 'entries');
  const agents =
    Object.keys(entries).length === 0 ? ['main'] : Object.keys(entries).map((each) => each.toLowerCase());
  for (const [name, account] of accounts) {
    const peers = Object.values(asObject(asObject(account['auth'])['peers']));
    const named = [account['defaultAgentId'], ...peers.map((peer) => asObject(peer)['agentId'])];
    const unknown = named
      .filter((each) => typeof each === 'string')
      .find((each) => !agents.includes(each.toLowerCase()));
    if (unknown !== undefined) {
      return problem(
        'OpenClaw',
        `The account ${name} names the agent "${shorten(unknown, 60)}", which OpenClaw does not have.`,
        `Use one of: ${agents.join(', ')}`,
      );
    }
  }
  const names = Object.keys(subject.at('channels', 'a2a', 'accounts'));
  for (const binding of subject.list([], 'bindings') ?? []) {
    const { channel, accountId } = asObject(asObject(binding)['match']);
    if (
      channel === 'a2a' &&
      typeof accountId === 'string' &&
      accountId !== '*' &&
      !names.includes(accountId)
    ) {
      return problem(
        'OpenClaw',
        `A binding names the account "${shorten(accountId, 60)}" of channel a2a, which does not exist.`,
        `Use one of: ${names.join(', ')}`,
      );
    }
  }
  return fine('Accounts and bindings name agents and accounts that exist.');
}

async function checkAccess(subject: OpenClawConfig): Promise<Finding | undefined> {
  const open = subject.accounts().filter(([, account]) => asObject(account['auth'])['required'] !== true);
  if (open.length === 0) return undefined;
  const [name] = open[0] ?? [];
  return warning(
    'OpenClaw',
    `The account ${name} answers callers without a key. They can talk to the agent, without tools.`,
    `openclaw config set channels.a2a.accounts.${name}.auth.required true`,
  );
}

/** Whether the address on the card can lead to the gateway. */
async function checkBind(subject: OpenClawConfig): Promise<Finding | undefined> {
  const { bind } = subject.at('gateway');
  const { mode } = subject.at('gateway', 'tailscale');
  const isProxied = mode === 'serve' || mode === 'funnel';
  for (const [name, { publicBaseUrl }] of subject.accounts()) {
    if (typeof publicBaseUrl !== 'string' || !URL.canParse(publicBaseUrl)) continue;
    const { hostname, port, protocol } = new URL(publicBaseUrl);
    // A proxy on this machine has an address of its own.
    const isDirect = protocol === 'http:' && Number(port || 80) === subject.gatewayPort;
    if (bind === 'loopback' && isDirect && !isLoopback(hostname) && !isProxied) {
      return problem(
        'OpenClaw',
        `The card of account ${name} sends callers to ${publicBaseUrl}, but the gateway listens on this machine only (gateway.bind is loopback).`,
        'Put a proxy with TLS in front and name its address in publicBaseUrl, or: openclaw config set gateway.bind lan',
      );
    }
  }
  return subject.accounts().length === 0 ? undefined : fine('The addresses on the cards fit gateway.bind.');
}

function outbound(subject: OpenClawConfig): Readonly<Record<string, unknown>> {
  return subject.at('plugins', 'entries', OUTBOUND, 'config');
}

async function checkTargets(subject: OpenClawConfig): Promise<Finding | undefined> {
  if (Object.keys(subject.at('plugins', 'entries', OUTBOUND)).length === 0) return undefined;
  const config = outbound(subject);
  const where = `plugins.entries.${OUTBOUND}.config`;
  if (config['enabled'] !== true) {
    return problem(
      'OpenClaw',
      `${where}.enabled is not true, so models do not get the tool remote_agent.`,
      `openclaw config set ${where}.enabled true`,
    );
  }
  const targets = Array.isArray(config['targets']) ? config['targets'].map(asObject) : [];
  for (const { alias, auth } of targets) {
    const { token } = asObject(auth);
    const file = asObject(token)['file'];
    if (typeof file === 'string' && !existsSync(file)) {
      return problem(
        'OpenClaw',
        `The key of the target ${String(alias)} is not there: ${file} does not exist.`,
        'Write the key to that file, readable for you alone',
      );
    }
    const [, variable] = typeof token === 'string' ? (/\$\{(\w+)\}/.exec(token) ?? []) : [];
    if (variable !== undefined && subject.environment[variable] === undefined) {
      return warning(
        'OpenClaw',
        `The key of the target ${String(alias)} is in the variable ${variable}, which is not set here.`,
        `Set ${variable} for the gateway`,
      );
    }
  }
  return fine(`${targets.length} ${targets.length === 1 ? 'target is' : 'targets are'} configured.`);
}

/** Asks the gateway on this machine, as a caller would. */
async function checkGateway(subject: OpenClawConfig): Promise<Finding | undefined> {
  const base = `http://127.0.0.1:${subject.gatewayPort}`;
  const health = await get(`${base}/healthz`);
  if (health === undefined) {
    return problem(
      'OpenClaw',
      `The gateway does not answer on port ${subject.gatewayPort}.`,
      'openclaw gateway run',
    );
  }
  for (const [name, account] of subject.accounts()) {
    const card = await get(`${base}${pathOf(account, 'agentCardPath')}`);
    if (card?.status === 200 && isBundledCard(card.text)) {
      return problem(
        'OpenClaw',
        `The bundled A2A channel answers in place of account ${name}.`,
        'holdword openclaw enable, then: openclaw gateway restart',
      );
    }
    if (card?.status !== 200 || !card.text.trimStart().startsWith('{')) {
      return problem(
        'OpenClaw',
        `The gateway runs, but account ${name} does not serve its card (HTTP status ${card?.status ?? 'none'}).`,
        'openclaw channels status --probe says why',
      );
    }
  }
  return fine(`The gateway answers on port ${subject.gatewayPort}.`);
}

function pathOf(account: Readonly<Record<string, unknown>>, name: keyof typeof PATHS): string {
  const path = account[name];
  return typeof path === 'string' ? path : PATHS[name];
}

async function get(url: string): Promise<{ status: number; text: string } | undefined> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(GATEWAY_MILLISECONDS),
      redirect: 'manual',
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return undefined;
  }
}

/** The bundled channel has one interface, at a path that accounts do not have. */
function isBundledCard(text: string): boolean {
  return text.includes('/a2a/v1"') && !text.includes('/a2a/v0.3"');
}
