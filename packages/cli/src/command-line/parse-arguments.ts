import { parseArgs } from 'node:util';
import { nearestName, shorten } from '@holdword/protocol/internal';
import { UsageError } from '../usage-error.ts';
import type { Command, GivenArgument } from './command.ts';
import { usageOf } from './render-help.ts';

export interface ParsedArguments {
  operands: string[];
  options: Record<string, string>;
  /** All values of repeatable options. */
  repeated: Record<string, string[]>;
  given: GivenArgument[];
  helpWanted: boolean;
}

/** Parses the arguments after the command's name. Throws a UsageError that says what to write instead. */
export function parseArguments(command: Command, words: readonly string[]): ParsedArguments {
  const names = Object.keys(command.options);
  const { tokens } = parseArgs({
    args: [...words],
    // Not strict: the error messages are written here.
    strict: false,
    tokens: true,
    options: Object.fromEntries([
      ...names.map((name) => [
        name,
        {
          type: isSwitch(command, name) ? ('boolean' as const) : ('string' as const),
          ...(command.options[name]?.short && { short: command.options[name].short }),
        },
      ]),
      ['help', { type: 'boolean' as const, short: 'h' }],
    ]),
  });

  const parsed: ParsedArguments = { operands: [], options: {}, repeated: {}, given: [], helpWanted: false };
  for (const token of tokens) {
    if (token.kind === 'positional') {
      parsed.operands.push(token.value);
      parsed.given.push({ name: undefined, value: token.value });
    }
    if (token.kind !== 'option') continue;
    if (token.name === 'help') {
      parsed.helpWanted = true;
      continue;
    }
    if (!names.includes(token.name)) throw unknownOption(command, token.rawName);
    if (isSwitch(command, token.name)) {
      parsed.options[token.name] = switchValue(command, token.name, token.value);
      continue;
    }
    const value = token.value;
    // In `--port --data x` the value is missing; the port is not `--data`.
    if (value === undefined || (!token.inlineValue && value.startsWith('--'))) {
      throw new UsageError(
        `--${token.name} needs a value: --${token.name} ${valueName(command, token.name)}`,
      );
    }
    parsed.given.push({ name: token.name, value });
    if (command.options[token.name]?.repeatable) (parsed.repeated[token.name] ??= []).push(value);
    else parsed.options[token.name] = value;
  }
  if (!parsed.helpWanted) checkOperands(command, parsed.operands);
  return parsed;
}

function unknownOption(command: Command, given: string): UsageError {
  const nearest = nearestName(given.replace(/^-+/, ''), [...Object.keys(command.options), 'help']);
  const hint = nearest === undefined ? '' : ` Did you mean --${nearest}?`;
  return new UsageError(
    `Unknown option ${given}.${hint} Run "holdword help ${command.name}" for the options.`,
  );
}

function checkOperands(command: Command, given: readonly string[]): void {
  const { operands: wanted = [], furtherOperands } = command;
  if (given.length === wanted.length || (furtherOperands !== undefined && given.length > wanted.length))
    return;
  const usage = `holdword ${usageOf(command)}`;
  const extra = given.slice(wanted.length).join(' ');
  throw new UsageError(
    given.length < wanted.length
      ? `Missing argument ${wanted.slice(given.length).join(' and ')}. Usage: ${usage} [options]`
      : `Unexpected argument: ${extra}. Usage: ${usage} [options]`,
  );
}

/** A switch that can also be set in a file can be switched off here: `--async=false`. */
function switchValue(command: Command, name: string, value: string | undefined): string {
  if (value === undefined) return 'true';
  if (command.options[name]?.negatable !== true) {
    throw new UsageError(`--${name} does not take a value.`);
  }
  if (value === 'true' || value === 'false') return value;
  throw new UsageError(`--${name}: expected true or false, found "${shorten(value, 40)}".`);
}

function isSwitch(command: Command, name: string): boolean {
  return command.options[name]?.value === undefined;
}

function valueName(command: Command, name: string): string {
  return command.options[name]?.value ?? 'VALUE';
}

const SIZE_UNITS: Readonly<Record<string, number>> = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 };

/** Reads `64K`, `32M`, `1G` or a number of bytes; `option` is named in the error. */
export function parseSize(text: string, option: string): number {
  const match = /^([1-9]\d{0,8})([KMG]?)$/i.exec(text);
  const unit = SIZE_UNITS[(match?.[2] ?? '').toUpperCase()];
  if (match === null || unit === undefined) {
    throw new UsageError(`${option}: expected a size such as 64K, 32M or 1G, found "${text}".`);
  }
  return Number(match[1]) * unit;
}

const MILLISECONDS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads `90d`, `12h`, `30m` or `45s`; `option` is named in the error. */
export function parseDuration(text: string, option: string): number {
  const match = /^(\d{1,6})([smhd])$/.exec(text);
  const unit = MILLISECONDS[match?.[2] ?? ''];
  if (/^\d{7,}[smhd]$/.test(text)) {
    throw new UsageError(
      `${option}: expected at most 999999 of a unit, such as 3650d, found "${shorten(text, 40)}".`,
    );
  }
  if (/^\d{1,6}$/.test(text)) {
    throw new UsageError(
      `${option}: expected a duration with a unit, such as ${text}s, ${text}m or ${text}h, found "${text}".`,
    );
  }
  if (match === null || unit === undefined) {
    throw new UsageError(`${option}: expected a duration such as 90d, 12h, 30m or 45s, found "${text}".`);
  }
  return Number(match[1]) * unit;
}
