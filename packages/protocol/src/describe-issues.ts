import type { z } from 'zod';
import { describeIssue, formatPath } from './describe-issue.ts';

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
