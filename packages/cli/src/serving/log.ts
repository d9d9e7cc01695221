import type { Log } from '@holdword/runtime';
import { boundedFields, jsonLog } from '@holdword/runtime/internal/observe';
import type { Terminal } from '../command-line/terminal.ts';
import { LOG_LEVELS, type Config, type LogLevel } from '../config/config-schema.ts';

/** The log of a process, on stderr. */
export function openLog(terminal: Terminal, level: LogLevel, format: Config['logFormat']): Log {
  if (format === 'text') return logToTerminal(terminal, level);
  return jsonLog({ level, destination: { write: (line) => terminal.error(line) } });
}

/** Writes each log entry as one line, with its fields as `name=value`. */
export function logToTerminal(terminal: Pick<Terminal, 'error' | 'style'>, level: LogLevel): Log {
  const reported = new Set(LOG_LEVELS.slice(0, LOG_LEVELS.indexOf(level) + 1));
  const at = (line: LogLevel) => (message: string, fields?: Record<string, unknown>) => {
    if (reported.has(line)) terminal.error(renderLine(terminal, line, message, fields));
  };
  return { error: at('error'), warn: at('warn'), info: at('info') };
}

function renderLine(
  terminal: Pick<Terminal, 'style'>,
  level: LogLevel,
  message: string,
  fields: Record<string, unknown> = {},
): string {
  const details = Object.entries(boundedFields(fields)).map(
    ([name, value]) => ` ${name}=${renderValue(value)}`,
  );
  const label = level === 'info' ? level : terminal.style(level === 'error' ? 'red' : 'yellow', level);
  return `${terminal.style('dim', new Date().toISOString())} ${label} ${message}${details.join('')}\n`;
}

function renderValue(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'undefined';
  // What others have chosen, such as the subject of a token, must not control the terminal.
  return /[\s"\p{Cc}]/u.test(value) ? JSON.stringify(value).replaceAll(/\p{Cc}/gu, '?') : value;
}
