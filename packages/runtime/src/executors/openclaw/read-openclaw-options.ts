import type { OpenClawOptions } from './openclaw-options.ts';
import { THINKING_LEVELS, type ThinkingLevel } from './thinking-levels.ts';

/** What each option must be, and the name it also has in configurations that are written with underscores. */
const OPTIONS: Readonly<Record<keyof OpenClawOptions, { readonly alias: string; readonly check: Check }>> = {
  sessionId: { alias: 'session_id', check: matching(/^[a-z0-9][a-z0-9_-]{0,63}$/) },
  agentId: { alias: 'agent_id', check: nonEmptyText },
  thinking: { alias: 'thinking', check: oneOf(THINKING_LEVELS) },
  timeout: { alias: 'timeout', check: positiveNumber },
  openclawPath: { alias: 'openclaw_path', check: nonEmptyText },
  workingDirectory: { alias: 'working_directory', check: nonEmptyText },
  envVars: { alias: 'env_vars', check: textValues },
  asyncMode: { alias: 'async_mode', check: yesOrNo },
  gateway: { alias: 'gateway', check: textValues },
  maxFileBytes: { alias: 'max_file_bytes', check: positiveNumber },
};

/** What was expected, or undefined where the value will do. */
type Check = (value: unknown) => string | undefined;

/**
 * Options of OpenClaw from a configuration, by their names here or by those with underscores (`session_id`). A value that
 * is null or undefined counts as absent. Throws an error that says what is wrong and what was expected.
 */
export function readOpenClawOptions(input: Readonly<Record<string, unknown>>): OpenClawOptions {
  const found: Partial<Record<keyof OpenClawOptions, unknown>> = {};
  for (const [given, value] of Object.entries(input)) {
    if (value === undefined || value === null) continue;
    const name = nameOf(given);
    if (name in found)
      throw new Error(`OpenClaw's option ${name} is given twice, as ${given} too. Remove one.`);
    const expected = OPTIONS[name].check(value);
    if (expected !== undefined) {
      throw new Error(`OpenClaw's option ${given} must be ${expected}; found ${JSON.stringify(value)}.`);
    }
    found[name] = value;
  }
  return found as OpenClawOptions;
}

function nameOf(given: string): keyof OpenClawOptions {
  const names = Object.keys(OPTIONS) as (keyof OpenClawOptions)[];
  const name = names.find((each) => each === given || OPTIONS[each].alias === given);
  if (name !== undefined) return name;
  throw new Error(`OpenClaw has no option ${given}. It has: ${names.join(', ')}.`);
}

function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? undefined : 'a text that is not empty';
}

function matching(pattern: RegExp): Check {
  return (value) =>
    typeof value === 'string' && pattern.test(value) ? undefined : `a text like ${pattern.source}`;
}

function oneOf(levels: readonly ThinkingLevel[]): Check {
  return (value) => (levels.some((level) => level === value) ? undefined : `one of ${levels.join(', ')}`);
}

function positiveNumber(value: unknown): string | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? undefined : 'a number above 0';
}

function yesOrNo(value: unknown): string | undefined {
  return typeof value === 'boolean' ? undefined : 'true or false';
}

function textValues(value: unknown): string | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && Object.values(value).every((each) => typeof each === 'string')
    ? undefined
    : 'an object whose values are texts';
}
