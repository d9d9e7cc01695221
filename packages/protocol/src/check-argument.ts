import type { z } from 'zod';
import { describeIssues } from './describe-issues.ts';

/**
 * Rejects what a program passes to a function of ours, before it fails deep inside: JavaScript does not check types, and
 * TypeScript trusts what is cast. Passwords in URLs are left out.
 *
 * @param call The call as it should be, such as `openSqliteStore({ folder })`.
 * @throws TypeError that names the function, what it expects and what it was given.
 */
export function checkArgument(call: string, schema: z.ZodType, value: unknown): void {
  const { error } = schema.safeParse(value);
  if (error === undefined) return;
  const problem = describeIssues(error.issues, value).replaceAll(/:\/\/[^\s/@]*@/g, '://…@');
  throw new TypeError(`${call}: ${problem}.`);
}

/** Whether a value is an object with these methods: of one that is a class elsewhere, no more can be told. */
export function hasMethods(value: unknown, ...names: readonly string[]): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    names.every((name) => typeof Reflect.get(value, name) === 'function')
  );
}
