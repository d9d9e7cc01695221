import type { z } from 'zod';
import { describeIssue, formatPath } from './describe-issue.ts';

const ISSUES_SHOWN = 3;

/** Says in one line what is wrong with a value: the first few places, what was expected there and what was found. */
export function describeIssues(issues: readonly z.core.$ZodIssue[], value: unknown): string {
  const shown = issues.slice(0, ISSUES_SHOWN).map((issue) => {
    const place = formatPath(issue.path);
    return `${place === '' ? '' : `${place}: `}${describeIssue(issue, value)}`;
  });
  const more = issues.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
