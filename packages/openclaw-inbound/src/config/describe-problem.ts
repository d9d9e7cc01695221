import { nearestName, shorten } from '@holdword/protocol/internal';
import type { z } from 'zod';
import { settingsAt } from './channel-schema.ts';

const SECTION = 'channels.a2a';
const MAX_EXCERPT_LENGTH = 60;

/** Values that must not appear in logs and on screens, even if they are invalid. */
const SECRETS: ReadonlySet<PropertyKey> = new Set(['token', 'outboundToken', 'url', 'keySha256']);

/** Describes a problem in the section: where it is, what was expected and what was found. */
export function describeProblem(issue: z.core.$ZodIssue, section: unknown): string[] {
  const path = formatPath(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const valid = Object.keys(settingsAt(issue.path));
    return issue.keys.map((key) =>
      valid.includes(key)
        ? `${path}: the key "${key}" does not belong to this kind; remove it, or choose another kind.`
        : `${path}: unknown key "${key}"; ${advice(key, valid)}`,
    );
  }
  if (issue.code === 'invalid_key') {
    return [`${path}: ${issue.issues[0]?.message ?? 'invalid name'}, found "${String(issue.path.at(-1))}".`];
  }
  return [`${path}: ${issue.message}, found ${describeValue(issue.path, valueAt(section, issue.path))}.`];
}

/** `channels.a2a.accounts.default.skills[0]` */
export function formatPath(path: readonly PropertyKey[]): string {
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
  // A key that was given instead of its digest shows by its length.
  if (path.includes('keySha256') && typeof value === 'string')
    return `a string of ${value.length} characters`;
  if (path.some((step) => SECRETS.has(step))) return `a ${typeof value}`;
  return shorten(JSON.stringify(value), MAX_EXCERPT_LENGTH);
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    root,
  );
}
