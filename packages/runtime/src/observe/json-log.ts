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
    info: (message, fields = {}) => logger.info(fields, message),
    warn: (message, fields = {}) => logger.warn(fields, message),
    error: (message, fields = {}) => logger.error(fields, message),
  };
}
