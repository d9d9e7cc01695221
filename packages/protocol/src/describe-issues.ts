import type { z } from 'zod';
import { shorten } from './basics/shorten.ts';

const ISSUES_SHOWN = 3;

/** Describes in one line what is wrong with a value: the first few paths, what was expected and what was found. */
export function describeIssues(issues: readonly z.core.$ZodIssue[], value: unknown): string {
  const shown = issues.slice(0, ISSUES_SHOWN).map((issue) => {
    const path = formatPath(issue.path);
    return `${path === '' ? '' : `${path}: `}${describeIssue(issue, value)}`;
  });
  const more = issues.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

const LONGEST_EXCERPT = 60;

/** Describes what a schema expected at one path and what it found there. */
export function describeIssue(issue: z.core.$ZodIssue, root: unknown): string {
  const found = describeValue(valueAt(root, issue.path));
  return `${describeExpectation(issue)}, found ${found}`;
}

/** Formats a path as callers know it: `message.parts[0].text`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}

function describeExpectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${describeType(issue.expected)}`;
    case 'invalid_value':
      return `expected ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return issue.inclusive === false
        ? `expected a number above ${issue.minimum}`
        : `expected ${describeSize(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return issue.inclusive === false
        ? `expected a number below ${issue.maximum}`
        : `expected ${describeSize(issue.origin, 'at most', issue.maximum)}`;
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'expected a timestamp such as 2026-01-31T12:00:00.000Z'
        : `expected ${issue.format}`;
    case 'custom':
    case 'invalid_element':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
    case 'unrecognized_keys':
    default:
      return issue.message;
  }
}

function describeType(expected: string): string {
  switch (expected) {
    case 'int':
      return 'an integer';
    case 'array':
      return 'an array';
    case 'object':
    case 'record':
      return 'an object';
    default:
      return `a ${expected}`;
  }
}

function describeSize(origin: string, bound: 'at least' | 'at most', limit: number | bigint): string {
  switch (origin) {
    case 'string':
      return bound === 'at least' && Number(limit) === 1
        ? 'a non-empty string'
        : `a string of ${bound} ${limit} characters`;
    case 'array':
      return `an array of ${bound} ${limit} ${Number(limit) === 1 ? 'element' : 'elements'}`;
    default:
      return `a number of ${bound} ${limit}`;
  }
}

/** A short description of a value. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  if (value instanceof Promise) return 'a promise';
  if (typeof value === 'function') return 'a function';
  // JSON has no infinity, and writes what is not a number as null.
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object') {
    const fields = Object.keys(value);
    if (fields.length === 0) return 'an empty object';
    return `an object with ${shorten(fields.join(', '), LONGEST_EXCERPT)}`;
  }
  return shorten(JSON.stringify(value) ?? typeof value, LONGEST_EXCERPT);
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    root,
  );
}
