import { describeValue, isObject, nearestName } from '@holdword/protocol/internal';

/** Returns what is expected instead, if the value is not that. */
export type OptionCheck = (value: unknown) => string | undefined;

/**
 * Rejects an argument that a program forgot or gave another type. JavaScript does not notice it.
 *
 * @param call The call as a reader writes it, such as `new JSONTaskStore(folder)`.
 * @throws TypeError that names the argument, what is expected and what was given.
 */
export function checkArgument(call: string, name: string, value: unknown, check: OptionCheck): void {
  const expected = check(value);
  if (expected !== undefined) {
    throw new TypeError(`${call}: ${name}: expected ${expected}, found ${describeValue(value)}.`);
  }
}

/**
 * Rejects options that a program misspelled or gave another type. JavaScript ignores them, and so does TypeScript for objects
 * that were built elsewhere. An option that is undefined is not given.
 *
 * @param call The call as a reader writes it, such as `new A2ASession(agents, options)`.
 * @throws TypeError that names the option, what is expected and what was given.
 */
export function checkOptions(
  call: string,
  options: unknown,
  checks: Readonly<Record<string, OptionCheck>>,
): void {
  if (!isObject(options)) {
    throw new TypeError(`${call}: expected an object with options, found ${describeValue(options)}.`);
  }
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) {
      const valid = Object.keys(checks);
      const nearest = nearestName(name, valid);
      const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
      throw new TypeError(`${call}: unknown option "${name}".${hint} Valid options: ${valid.join(', ')}.`);
    }
    if (value !== undefined) checkArgument(call, name, value, check);
  }
}

export const isSeconds: OptionCheck = (value) =>
  typeof value === 'number' && value >= 0 ? undefined : 'a number of seconds, 0 or more';

/** For timeouts and intervals: with 0, no agent could answer, and would be said not to run. */
export const isPositiveSeconds: OptionCheck = (value) =>
  typeof value === 'number' && value > 0 ? undefined : 'a number of seconds above 0';

export const isByteCount: OptionCheck = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0
    ? undefined
    : 'a positive number of bytes';

export const isCount: OptionCheck = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? undefined
    : 'a non-negative integer';

export const isText: OptionCheck = (value) => (typeof value === 'string' ? undefined : 'a string');

export const isFolder: OptionCheck = (value) =>
  typeof value === 'string' && value !== '' ? undefined : 'the path of a folder';

export const isTextList: OptionCheck = (value) =>
  Array.isArray(value) && value.every((each) => typeof each === 'string') ? undefined : 'a list of strings';

export const isList: OptionCheck = (value) => (Array.isArray(value) ? undefined : 'a list');

/** For options that are checked where they are used. */
export const isAnything: OptionCheck = () => undefined;

export const isFunction: OptionCheck = (value) => (typeof value === 'function' ? undefined : 'a function');

export const isRecord: OptionCheck = (value) => (isObject(value) ? undefined : 'an object');

/** An object whose values are all alike. */
export function isRecordOf(check: OptionCheck): OptionCheck {
  return (value) => {
    if (!isObject(value)) return 'an object';
    const wrong = Object.values(value)
      .map(check)
      .find((expected) => expected !== undefined);
    return wrong === undefined ? undefined : `an object in which each value is ${wrong}`;
  };
}

export const isPort: OptionCheck = (value) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 65_535
    ? undefined
    : 'a port number from 0 to 65535';

export const isNonEmptyText: OptionCheck = (value) =>
  typeof value === 'string' && value !== '' ? undefined : 'a string that is not empty';

export const isBoolean: OptionCheck = (value) => (typeof value === 'boolean' ? undefined : 'true or false');

export const isSignal: OptionCheck = (value) =>
  value instanceof AbortSignal ? undefined : 'an AbortSignal, such as that of an AbortController';

/** The value, or null. */
export function orNull(check: OptionCheck): OptionCheck {
  return (value) => (value === null ? undefined : check(value));
}

/** An object with these methods. */
export function hasMethods(names: readonly string[], expected: string): OptionCheck {
  return (value) =>
    isObject(value) && names.every((name) => typeof value[name] === 'function') ? undefined : expected;
}
