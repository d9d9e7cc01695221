import type { OptionDescription } from '../arguments/command.ts';
import { LOG_LEVELS } from '../terminal/log-to-terminal.ts';
import { LOG_FORMATS, type Config } from './config-schema.ts';
import { STORE_KINDS } from './store-setting.ts';

/** One setting that the command line and the environment can give as well as the file. */
export interface Setting extends OptionDescription {
  readonly key: keyof Config;
  readonly environment: string;
  /** Turns the text into what the schema expects; the text itself unless given. */
  readonly read?: (text: string) => unknown;
}

/** Where data lies: what every command that opens the store takes. */
export const DATA_SETTINGS = {
  data: {
    key: 'data',
    value: 'DIR',
    environment: 'HOLDWORD_DATA',
    description: 'folder that holds the data (default .holdword)',
  },
  store: {
    key: 'store',
    value: `${STORE_KINDS.join('|')}|postgres://…`,
    environment: 'HOLDWORD_STORE',
    description: 'how tasks are stored (default: what DATABASE_URL names, or sqlite)',
  },
  'store-schema': {
    key: 'storeSchema',
    value: 'NAME',
    environment: 'HOLDWORD_STORE_SCHEMA',
    description: 'schema of the database that holds everything (default holdword)',
  },
} as const satisfies Record<string, Setting>;

export const SERVE_SETTINGS = {
  host: {
    key: 'host',
    value: 'ADDRESS',
    environment: 'HOLDWORD_HOST',
    description: 'address to listen on (default 127.0.0.1)',
  },
  port: {
    key: 'port',
    value: 'N',
    environment: 'HOLDWORD_PORT',
    description: 'HTTP port, 0 picks a free one (default 4310)',
    read: readNumber,
  },
  'grpc-port': {
    key: 'grpcPort',
    value: 'N|off',
    environment: 'HOLDWORD_GRPC_PORT',
    description: 'gRPC port, 0 picks a free one (default: HTTP port + 1)',
    read: readNumber,
  },
  'public-url': {
    key: 'publicUrl',
    value: 'URL',
    environment: 'HOLDWORD_PUBLIC_URL',
    description: 'where callers reach the HTTP port, when a proxy stands before it',
  },
  'public-grpc-address': {
    key: 'publicGrpcAddress',
    value: 'HOST:PORT',
    environment: 'HOLDWORD_PUBLIC_GRPC_ADDRESS',
    description: 'where callers reach the gRPC port, when a proxy stands before it',
  },
  agent: {
    key: 'agent',
    value: 'NAME|MODULE',
    environment: 'HOLDWORD_AGENT',
    description: 'one of the agents below, or a module that default-exports an executor (default demo)',
  },
  hub: {
    key: 'hub',
    environment: 'HOLDWORD_HUB',
    description: 'serve the hub beside the agent: identities, sessions, heartbeats and hand-off',
    read: readSwitch,
  },
  ...DATA_SETTINGS,
  grace: {
    key: 'graceSeconds',
    value: 'SECONDS',
    environment: 'HOLDWORD_GRACE',
    description: 'how long running turns may go on after Ctrl-C (default 5)',
    read: readNumber,
  },
  'log-level': {
    key: 'logLevel',
    value: LOG_LEVELS.join('|'),
    environment: 'HOLDWORD_LOG_LEVEL',
    description: 'what is written to the error output (default warn)',
  },
  'log-format': {
    key: 'logFormat',
    value: LOG_FORMATS.join('|'),
    environment: 'HOLDWORD_LOG_FORMAT',
    description: 'how it is written (default: text for a terminal, json otherwise)',
  },
} as const satisfies Record<string, Setting>;

/** The option that names the file; it cannot stand in the file itself. */
export const CONFIG_OPTION = {
  value: 'FILE',
  environment: 'HOLDWORD_CONFIG',
  description: 'configuration file (default holdword.config.json, if there is one)',
} as const satisfies OptionDescription;

function readSwitch(text: string): unknown {
  return { true: true, false: false }[text] ?? text;
}

function readNumber(text: string): unknown {
  return /^\d+$/.test(text) ? Number(text) : text;
}
