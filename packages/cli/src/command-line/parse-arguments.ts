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
    const switched = readSwitch(command, token);
    if (switched !== undefined) {
      if (switched.value === undefined) delete parsed.options[switched.name];
      else parsed.options[switched.name] = switched.value;
      continue;
    }
    if (!names.includes(token.name)) throw unknownOption(command, token.rawName);
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
  if (!parsed.helpWanted) checkOperands(command, parsed.operands, words);
  return parsed;
}

function unknownOption(command: Command, given: string): UsageError {
  const names = Object.entries(command.options).flatMap(([name, { negatable }]) =>
    negatable === true ? [name, `no-${name}`] : [name],
  );
  const nearest = nearestName(given.replace(/^-+/, ''), [...names, 'help']);
  const hint = nearest === undefined ? '' : ` Did you mean --${nearest}?`;
  return new UsageError(
    `Unknown option ${given}.${hint} Run "holdword help ${command.name}" for the options.`,
  );
}

function checkOperands(command: Command, given: readonly string[], words: readonly string[]): void {
  const { operands: wanted = [], furtherOperands } = command;
  if (given.length === wanted.length || (furtherOperands !== undefined && given.length > wanted.length))
    return;
  const usage = `holdword ${usageOf(command)}`;
  if (given.length < wanted.length) {
    throw new UsageError(
      `Missing argument ${wanted.slice(given.length).join(' and ')}. Usage: ${usage} [options]`,
    );
  }
  const extra = given.slice(wanted.length);
  throw new UsageError(
    `Unexpected argument: ${extra.join(' ')}.${switchHint(command, extra[0], words)} Usage: ${usage} [options]`,
  );
}

/** For somebody who writes `--console off`. */
function switchHint(command: Command, extra: string | undefined, words: readonly string[]): string {
  const before = words.find((word, index) => word.startsWith('--') && words[index + 1] === extra)?.slice(2);
  if (before === undefined || !isSwitch(command, before)) return '';
  return ` --${before} takes no value: turn it on with --${before}, and off with --no-${before}.`;
}

interface OptionToken {
  readonly name: string;
  readonly value?: string | undefined;
}

/**
 * The switch that an argument turns on or off; undefined if it is none. `--no-NAME` and `--NAME=false` are the same. A switch that
 * can also be set elsewhere is then off; any other is as if it had not been given, and has no value.
 */
function readSwitch(
  command: Command,
  { name: given, value }: OptionToken,
): { name: string; value: string | undefined } | undefined {
  const isOff = !Object.hasOwn(command.options, given) && given.startsWith('no-');
  const name = isOff ? given.slice('no-'.length) : given;
  if (!isSwitch(command, name)) return undefined;
  if (isOff && value !== undefined) throw new UsageError(`--${given} takes no value.`);
  if (isOff || value === 'false') {
    return { name, value: command.options[name]?.negatable === true ? 'false' : undefined };
  }
  if (value === undefined || value === 'true') return { name, value: 'true' };
  throw new UsageError(
    `--${name}: expected true or false, found "${shorten(value, 40)}". Turn it on with --${name}, and off with --no-${name}.`,
  );
}

function isSwitch({ options }: Command, name: string): boolean {
  return Object.hasOwn(options, name) && options[name]?.value === undefined;
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

const MILLISECONDS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const MOST_DAYS = 999_999;

/** The milliseconds of `500ms`, `45s`, `30m`, `12h`, `90d` or a number of seconds; undefined if a text is no duration. */
export function durationIn(text: string): number | undefined {
  const [, number = '', unit = 's'] = /^(\d{1,15})(ms|[smhd])?$/.exec(text) ?? [];
  const factor = MILLISECONDS[unit];
  return number === '' || factor === undefined ? undefined : Number(number) * factor;
}

/** Reads a duration in milliseconds; `option` says in the error where the text comes from. */
export function parseDuration(text: string, option: string): number {
  const milliseconds = durationIn(text);
  if (milliseconds === undefined) {
    throw new UsageError(
      `${option}: expected a duration such as 90d, 12h, 30m or 45s, or a number of seconds, found "${shorten(text, 40)}".`,
    );
  }
  if (milliseconds <= MOST_DAYS * 86_400_000) return milliseconds;
  throw new UsageError(`${option}: expected at most ${MOST_DAYS}d, found "${shorten(text, 40)}".`);
}

/** Reads a duration that people count in days: a bare number would be taken for days, and mean seconds. */
export function parseLongDuration(text: string, option: string): number {
  if (!/^\d+$/.test(text)) return parseDuration(text, option);
  throw new UsageError(
    `${option}: expected a duration with its unit, such as 90d or 12h, found "${shorten(text, 40)}".`,
  );
}
