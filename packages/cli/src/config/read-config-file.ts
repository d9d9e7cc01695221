import { readFile } from 'node:fs/promises';
import { nearestName, shorten } from '@holdword/protocol/internal';
import { findNodeAtLocation, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import type { z } from 'zod';
import { UsageError } from '../usage-error.ts';
import { givenConfigSchema, type GivenConfig } from './config-schema.ts';
import { validNamesAt } from './describe-settings.ts';
import { hideSecrets } from './read-text.ts';
import { whyUnreadable } from './why-unreadable.ts';

const MAX_VALUE_LENGTH = 60;

/**
 * Reads a configuration file: JSON with comments. Every error is reported with its line and column.
 *
 * @param name The path as the user gave it.
 */
export async function readConfigFile(file: string, name: string): Promise<GivenConfig> {
  let source: string;
  try {
    source = await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`Cannot read the configuration file ${file}: ${whyUnreadable(error)}.`);
  }
  return parseConfig(source, name);
}

/** The settings as given, without defaults. `name` comes first in each error, as in `holdword.config.json:3:5`. */
export function parseConfig(source: string, name: string): GivenConfig {
  const text = source.replace(/^\uFEFF/, '');
  const syntaxErrors: ParseError[] = [];
  const tree = parseTree(text, syntaxErrors, { allowTrailingComma: true });
  const firstError = syntaxErrors[0];
  if (firstError !== undefined) {
    const position = positionOf(text, firstError.offset);
    const problem = printParseErrorCode(firstError.error);
    const isBareKey = problem === 'InvalidSymbol' && /^\w+\s*:/.test(text.slice(firstError.offset));
    throw new UsageError(
      `${name}:${position}: invalid JSON: ${words(problem)}.${isBareKey ? ' Put the key in double quotes.' : ''}`,
    );
  }
  if (tree === undefined) throw new UsageError(`${name} is empty. Write a JSON object, for example {}.`);

  const given = valueOf(tree);
  const result = givenConfigSchema.safeParse(given);
  const problems = duplicateKeys(tree);
  if (result.success && problems.length === 0) return given as GivenConfig;
  problems.push(...(result.error?.issues ?? []).flatMap((issue) => describeIssue(issue, tree)));
  problems.sort((first, second) => first.offset - second.offset);
  const lines = problems.map(({ offset, message }) => `${name}:${positionOf(text, offset)}: ${message}`);
  // A number can break two rules of a schema that are one for its reader.
  throw new UsageError([...new Set(lines)].join('\n'));
}

interface Problem {
  offset: number;
  message: string;
}

/** Of two values, the first would be ignored without a word. */
function duplicateKeys(node: Node): Problem[] {
  const problems = (node.children ?? []).flatMap(duplicateKeys);
  if (node.type !== 'object') return problems;
  const seen = new Set<unknown>();
  for (const { offset, children: [key] = [] } of node.children ?? []) {
    if (seen.has(key?.value)) {
      problems.push({ offset, message: `duplicate key "${key?.value}"; remove one of them.` });
    }
    seen.add(key?.value);
  }
  return problems;
}

function describeIssue(issue: z.core.$ZodIssue, tree: Node): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      offset: nodeAt(tree, [...issue.path, key])?.parent?.offset ?? tree.offset,
      message: unknownKey(key, validNamesAt(issue.path)),
    }));
  }
  const node = nodeAt(tree, issue.path);
  const found =
    node === undefined
      ? 'nothing'
      : shorten(hideSecrets(JSON.stringify(valueOf(node))), MAX_VALUE_LENGTH, '...');
  const where = issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  const offset = node?.offset ?? nodeAt(tree, issue.path.slice(0, -1))?.offset ?? tree.offset;
  return [{ offset, message: `${where}${issue.message}, found ${found}.${quotesAdvice(issue, node)}` }];
}

/** A number in quotes looks right to people who know that the command line accepts it. */
function quotesAdvice(issue: z.core.$ZodIssue, node: Node | undefined): string {
  const isQuotedNumber = node?.type === 'string' && /^-?\d+(?:\.\d+)?$/.test(String(node.value));
  return isQuotedNumber && expectsNumber(issue) ? ' Write the number without quotes.' : '';
}

function expectsNumber(issue: z.core.$ZodIssue): boolean {
  if (issue.code === 'invalid_union') return issue.errors.flat().some(expectsNumber);
  return issue.code === 'invalid_type' && (issue.expected === 'number' || issue.expected === 'int');
}

function unknownKey(key: string, valid: readonly string[]): string {
  const nearest = nearestName(key, valid);
  return nearest === undefined
    ? `unknown key "${key}"; valid keys are ${valid.join(', ')}.`
    : `unknown key "${key}"; did you mean "${nearest}"?`;
}

function nodeAt(tree: Node, path: readonly PropertyKey[]): Node | undefined {
  return findNodeAtLocation(
    tree,
    path.filter((step) => typeof step !== 'symbol'),
  );
}

function valueOf(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(valueOf);
  if (node.type !== 'object') return node.value;
  // Own properties only: a key called __proto__ stays a key.
  return Object.fromEntries(
    (node.children ?? []).map(({ children: [key, value] = [] }) => [
      String(key?.value),
      value === undefined ? undefined : valueOf(value),
    ]),
  );
}

function positionOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${before.length}:${(before.at(-1) ?? '').length + 1}`;
}

/** Turns `CommaExpected` into `comma expected`. */
function words(code: string): string {
  return code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
