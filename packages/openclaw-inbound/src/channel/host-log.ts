import type { Log } from '@holdword/runtime';
import type { ChannelLogSink } from '../api.ts';

/** The gateway's channel log accepts only strings. */
export function hostLog(sink: ChannelLogSink | undefined): Log {
  return {
    info: (message, fields) => sink?.info(line(message, fields)),
    warn: (message, fields) => sink?.warn(line(message, fields)),
    error: (message, fields) => sink?.error(line(message, fields)),
  };
}

function line(message: string, fields: Record<string, unknown> = {}): string {
  return Object.keys(fields).length === 0 ? message : `${message} ${JSON.stringify(fields)}`;
}
