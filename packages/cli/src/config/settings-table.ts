import type { OptionDescription } from '../arguments/command.ts';
import { LOG_LEVELS } from '../terminal/log-to-terminal.ts';
import { LOG_FORMATS, type Config } from './config-schema.ts';
import { STORE_KINDS } from './store-setting.ts';

/** A setting that the command line and the environment can give, in addition to the configuration file. */
export interface Setting extends OptionDescription {
  readonly key: keyof Config;
  readonly environment: string;
  /** Converts the text to what the schema expects; without it, the text is used as it is. */
  readonly read?: (text: string) => unknown;
}

/** Where the data is: options of every command that opens the store. */
export const DATA_SETTINGS = {
  data: {
    key: 'data',
    value: 'DIR',
    environment: 'HOLDWORD_DATA',
    description: 'Data folder',
    default: '.holdword',
  },
  store: {
    key: 'store',
    value: 'STORE',
    environment: 'HOLDWORD_STORE',
    description: `Where to store tasks: ${STORE_KINDS.join(', ')} or a postgres:// URL`,
    default: 'sqlite, or DATABASE_URL if it is a postgres:// URL',
  },
  'store-schema': {
    key: 'storeSchema',
    value: 'NAME',
    environment: 'HOLDWORD_STORE_SCHEMA',
    description: 'PostgreSQL schema that holds the tables',
    default: 'holdword',
  },
} as const satisfies Record<string, Setting>;

export const SERVE_SETTINGS = {
  host: {
    key: 'host',
    value: 'ADDRESS',
    environment: 'HOLDWORD_HOST',
    description: 'Address to listen on',
    default: '127.0.0.1',
  },
  port: {
    key: 'port',
    value: 'N',
    environment: 'HOLDWORD_PORT',
    description: 'HTTP port; 0 picks a free port',
    default: '4310',
    read: readNumber,
  },
  'grpc-port': {
    key: 'grpcPort',
    value: 'N|off',
    environment: 'HOLDWORD_GRPC_PORT',
    description: 'gRPC port; 0 picks a free port, off disables gRPC',
    default: 'HTTP port + 1',
    read: readNumber,
  },
  'public-url': {
    key: 'publicUrl',
    value: 'URL',
    environment: 'HOLDWORD_PUBLIC_URL',
    description: 'Public URL of the HTTP port, if the server is behind a proxy',
  },
  'public-grpc-address': {
    key: 'publicGrpcAddress',
    value: 'HOST:PORT',
    environment: 'HOLDWORD_PUBLIC_GRPC_ADDRESS',
    description: 'Public address of the gRPC port, if the server is behind a proxy',
  },
  agent: {
    key: 'agent',
    value: 'AGENT',
    environment: 'HOLDWORD_AGENT',
    description:
      'Agent to serve: one of the names below, or the path of a module that default-exports an executor',
    default: 'demo',
  },
  hub: {
    key: 'hub',
    environment: 'HOLDWORD_HUB',
    description: 'Also serve a hub: identities, sessions, heartbeats and hand-off for agents',
    read: readSwitch,
  },
  ...DATA_SETTINGS,
  grace: {
    key: 'graceSeconds',
    value: 'SECONDS',
    environment: 'HOLDWORD_GRACE',
    description: 'How long running turns may take to finish after Ctrl-C',
    default: '5',
    read: readNumber,
  },
  'log-level': {
    key: 'logLevel',
    value: LOG_LEVELS.join('|'),
    environment: 'HOLDWORD_LOG_LEVEL',
    description: 'Least severe level to log to stderr',
    default: 'warn',
  },
  'log-format': {
    key: 'logFormat',
    value: LOG_FORMATS.join('|'),
    environment: 'HOLDWORD_LOG_FORMAT',
    description: 'Format of the log',
    default: 'text on a terminal, otherwise json',
  },
} as const satisfies Record<string, Setting>;

/** Names the configuration file, so it cannot be set in that file. */
export const CONFIG_OPTION = {
  value: 'FILE',
  environment: 'HOLDWORD_CONFIG',
  description: 'Configuration file',
  default: 'holdword.config.json, if it exists',
} as const satisfies OptionDescription;

function readSwitch(text: string): unknown {
  return { true: true, false: false }[text] ?? text;
}

function readNumber(text: string): unknown {
  return /^\d+$/.test(text) ? Number(text) : text;
}
