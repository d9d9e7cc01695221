import { parseArgs } from 'node:util';
import { nearestName } from '@holdword/protocol/internal';
import { UsageError } from '../usage-error.ts';
import type { Command } from './command.ts';

export interface ParsedArguments {
  operands: string[];
  options: Record<string, string>;
  /** All values of the options that may be given several times. */
  repeated: Record<string, string[]>;
  helpWanted: boolean;
}

/** Reads what follows the command's name. Throws a UsageError that says what to write instead. */
export function parseArguments(command: Command, words: readonly string[]): ParsedArguments {
  const names = Object.keys(command.options);
  const { tokens } = parseArgs({
    args: [...words],
    // Not strict, because the messages for what is wrong are made here.
    strict: false,
    tokens: true,
    options: Object.fromEntries([
      ...names.map((name) => [name, { type: isSwitch(command, name) ? 'boolean' : 'string' } as const]),
      ['help', { type: 'boolean' as const, short: 'h' }],
    ]),
  });

  const parsed: ParsedArguments = { operands: [], options: {}, repeated: {}, helpWanted: false };
  for (const token of tokens) {
    if (token.kind === 'positional') parsed.operands.push(token.value);
    if (token.kind !== 'option') continue;
    if (token.name === 'help') {
      parsed.helpWanted = true;
      continue;
    }
    if (!names.includes(token.name)) throw unknownOption(command, token.rawName);
    if (isSwitch(command, token.name)) {
      if (token.value !== undefined) throw new UsageError(`--${token.name} takes no value.`);
      parsed.options[token.name] = 'true';
      continue;
    }
    const value = token.value;
    // `--port --data x` is a forgotten value, not a port named `--data`.
    if (value === undefined || (!token.inlineValue && value.startsWith('--'))) {
      throw new UsageError(
        `--${token.name} needs a value: --${token.name} ${valueName(command, token.name)}`,
      );
    }
    if (command.options[token.name]?.repeatable) (parsed.repeated[token.name] ??= []).push(value);
    else parsed.options[token.name] = value;
  }
  if (!parsed.helpWanted) checkOperands(command, parsed.operands);
  return parsed;
}

function unknownOption(command: Command, given: string): UsageError {
  const nearest = nearestName(given.replace(/^-+/, ''), [...Object.keys(command.options), 'help']);
  const hint = nearest === undefined ? '' : ` Did you mean --${nearest}?`;
  return new UsageError(`${command.name} has no option ${given}.${hint} See: holdword help ${command.name}`);
}

function checkOperands(command: Command, given: readonly string[]): void {
  const wanted = command.operands ?? [];
  if (given.length === wanted.length) return;
  const usage = ['holdword', command.name, ...wanted].join(' ');
  const extra = given.slice(wanted.length).join(' ');
  throw new UsageError(
    given.length < wanted.length
      ? `${command.name} needs ${wanted.slice(given.length).join(' and ')}: ${usage}`
      : `${command.name} takes no further words, found: ${extra}. Write: ${usage}`,
  );
}

function isSwitch(command: Command, name: string): boolean {
  return command.options[name]?.value === undefined;
}

function valueName(command: Command, name: string): string {
  return command.options[name]?.value ?? 'VALUE';
}
