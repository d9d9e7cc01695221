import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { asObject } from '@holdword/protocol/internal';
import type { CommandInput } from '../command-line/command.ts';
import { parseJson5 } from '../config/json5-members.ts';

export const INBOUND = 'openclaw-a2a-inbound';
export const OUTBOUND = 'openclaw-a2a-outbound';
export const DEFAULT_GATEWAY_PORT = 18_789;

type Fields = Readonly<Record<string, unknown>>;

/** The configuration of OpenClaw, as far as A2A is concerned. Nothing of OpenClaw is run. */
export class OpenClawConfig {
  readonly file: string;
  readonly environment: CommandInput['environment'];
  #config: Fields = {};

  constructor(environment: CommandInput['environment']) {
    this.environment = environment;
    this.file = configFileOf(environment);
  }

  get exists(): boolean {
    return existsSync(this.file);
  }

  /** @throws SyntaxError, or the error of the system */
  async load(): Promise<void> {
    this.#config = asObject(parseJson5(await readFile(this.file, 'utf8')));
  }

  /** The object at a path; empty if there is none. */
  at(...path: string[]): Fields {
    return path.reduce<Fields>((inner, name) => asObject(inner[name]), this.#config);
  }

  list(path: readonly string[], name: string): readonly unknown[] | undefined {
    const value = this.at(...path)[name];
    return Array.isArray(value) ? value : undefined;
  }

  /** Accounts of the inbound plugin that are not switched off, by name. */
  accounts(): (readonly [string, Fields])[] {
    return Object.entries(this.at('channels', 'a2a', 'accounts'))
      .map(([name, account]) => [name, asObject(account)] as const)
      .filter(([, { enabled }]) => enabled !== false);
  }

  get gatewayPort(): number {
    const { port } = this.at('gateway');
    return typeof port === 'number' ? port : DEFAULT_GATEWAY_PORT;
  }

  /** Whether OpenClaw would find the plugin. Folders that the configuration adds may hold it under any name. */
  isInstalled(plugin: string): boolean {
    if ((this.list(['plugins', 'load'], 'paths') ?? []).length > 0) return true;
    const state = stateFolderOf(this.environment);
    return existsSync(join(state, 'extensions', plugin)) || holds(join(state, 'npm'), plugin, 4);
  }
}

/** Where our command keeps the accounts while the plugin is disabled or not installed. */
export function keptAccountsFile(configFile: string): string {
  return `${configFile}.a2a.json5`;
}

function holds(folder: string, name: string, depth: number): boolean {
  if (depth === 0 || !existsSync(folder)) return false;
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .some((entry) => entry.name.includes(name) || holds(join(folder, entry.name), name, depth - 1));
}

function stateFolderOf({ OPENCLAW_STATE_DIR: state, HOME: home }: CommandInput['environment']): string {
  return state || join(home ?? homedir(), '.openclaw');
}

function configFileOf(environment: CommandInput['environment']): string {
  return environment['OPENCLAW_CONFIG_PATH'] || join(stateFolderOf(environment), 'openclaw.json');
}
