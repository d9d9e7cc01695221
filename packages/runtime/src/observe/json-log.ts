import { shorten } from '@holdword/protocol/internal';
import { type DestinationStream, pino } from 'pino';
import type { Log } from '../log.ts';

export interface JsonLogOptions {
  level: 'error' | 'warn' | 'info';
  /**
   * Where lines are written.
   * @default process.stderr
   */
  destination?: DestinationStream;
}

/** Fields that must never be logged, even if one is passed by mistake. */
const SECRETS = [
  'authorization',
  'cookie',
  'credential',
  'credentials',
  'key',
  'password',
  'secret',
  'token',
];

/** Logs one line of JSON each, for log collectors. */
export function jsonLog({ level, destination }: JsonLogOptions): Log {
  const logger = pino(
    {
      level,
      base: { name: 'holdword' },
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  );
  return {
    info: (message, fields = {}) => logger.info(boundedFields(fields), message),
    warn: (message, fields = {}) => logger.warn(boundedFields(fields), message),
    error: (message, fields = {}) => logger.error(boundedFields(fields), message),
  };
}

/** Log collectors cut or drop long lines, and what an agent throws may be of any length. */
const MOST_CHARACTERS = 8_000;

/** The fields, with long texts shortened. */
export function boundedFields(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? shorten(value, MOST_CHARACTERS) : value,
    ]),
  );
}
