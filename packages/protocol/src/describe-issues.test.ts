import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeIssues } from './describe-issues.ts';

const schema = z.object({ name: z.string(), tags: z.array(z.string()) });

function describeWrong(value: unknown): string {
  return describeIssues(schema.safeParse(value).error?.issues ?? [], value);
}

test('names the paths, what was expected and what was found', () => {
  expect(describeWrong({ name: 5, tags: ['a', 1] })).toBe(
    'name: expected a string, found 5; tags[1]: expected a string, found 1',
  );
  expect(describeWrong([])).toBe('expected an object, found an empty array');
});

test('counts the issues it does not show', () => {
  expect(describeWrong({ tags: [1, 2, 3, 4] })).toMatch(/tags\[1\]: expected a string, found 2; and 2 more$/);
});
