import { nearestName } from '@holdword/protocol/internal';
import type { z } from 'zod';
import { validNamesAt } from './channel-json-schema.ts';

const SECTION = 'channels.a2a';
const LONGEST_EXCERPT = 60;

/** What these hold is not for logs and screens, not even when it is wrong. */
const SECRETS: ReadonlySet<PropertyKey> = new Set(['token', 'outboundToken', 'url', 'keySha256']);

/** Says what is wrong in the section: where, what was expected, what was found. */
export function describeProblem(issue: z.core.$ZodIssue, section: unknown): string[] {
  const place = placeOf(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const valid = validNamesAt(issue.path);
    return issue.keys.map((key) => `${place}: unknown key "${key}"; ${advice(key, valid)}`);
  }
  if (issue.code === 'invalid_key') {
    return [
      `${place}: ${issue.issues[0]?.message ?? 'expected another name'}, found "${String(issue.path.at(-1))}".`,
    ];
  }
  return [`${place}: ${issue.message}, found ${describeValue(issue.path, valueAt(section, issue.path))}.`];
}

/** `channels.a2a.accounts.default.skills[0]` */
export function placeOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}.${String(step)}`),
    SECTION,
  );
}

function advice(key: string, valid: readonly string[]): string {
  const nearest = nearestName(key, valid);
  return nearest === undefined ? `valid keys are ${valid.join(', ')}.` : `did you mean "${nearest}"?`;
}

function describeValue(path: readonly PropertyKey[], value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return value === null ? 'null' : 'an object';
  if (path.some((step) => SECRETS.has(step))) return `a ${typeof value}`;
  const text = JSON.stringify(value);
  return text.length <= LONGEST_EXCERPT ? text : `${text.slice(0, LONGEST_EXCERPT)}…`;
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    root,
  );
}
