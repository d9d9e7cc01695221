import type { Log } from '@holdword/runtime';
import { jsonLog } from '@holdword/runtime/internal/observe';
import type { Config } from '../config/config-schema.ts';
import { logToTerminal } from '../terminal/log-to-terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Logs text to a terminal and JSON elsewhere, unless the configuration sets the format. */
export function chooseLog({ logFormat, logLevel = 'warn' }: Config, terminal: Terminal): Log {
  const format = logFormat ?? (terminal.errorsAreWatched ? 'text' : 'json');
  if (format === 'text') return logToTerminal(terminal, logLevel);
  return jsonLog({ level: logLevel, destination: { write: (line) => terminal.error(line) } });
}
