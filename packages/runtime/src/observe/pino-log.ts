import { pino, type DestinationStream } from 'pino';
import type { Log } from '../log.ts';

export interface JsonLogOptions {
  level: 'error' | 'warn' | 'info';
  /** Where lines go; the error output unless given. */
  destination?: DestinationStream;
}

/** Fields that must never be in a log, should one ever be given to it. */
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

/** Writes what the runtime reports as one line of JSON each, for programs that collect logs. */
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
