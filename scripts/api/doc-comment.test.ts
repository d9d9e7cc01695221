import { expect, test } from 'vitest';
import { NO_COMMENT, parseDocComment } from './doc-comment.ts';

test('a comment is taken apart', () => {
  const comment = `*
   * Opens a store: \`a@b\` is no tag.
   *
   * More of it.
   *
   * @param folder - where it lies,
   *   on this disk
   * @returns the store
   * @default 10
   * @throws StoreError \`in-use\` when
   *   another process has it
   * @throws TypeError never
   * @example
   * const store = open();
   *
   * store.close();
   `;
  expect(parseDocComment(comment)).toEqual({
    description: 'Opens a store: `a@b` is no tag.\n\nMore of it.',
    parameters: [{ name: 'folder', text: 'where it lies,\n  on this disk' }],
    returns: 'the store',
    default: '10',
    throws: ['StoreError `in-use` when\n  another process has it', 'TypeError never'],
    examples: ['const store = open();\n\nstore.close();'],
    isInternal: false,
  });
});

test('a comment of one line is a description', () => {
  expect(parseDocComment('* Says what it is. ')).toEqual({
    ...NO_COMMENT,
    description: 'Says what it is.',
  });
  expect(parseDocComment('* For tests. @internal ').isInternal).toBe(false);
  expect(parseDocComment('* @internal ')).toEqual({ ...NO_COMMENT, isInternal: true });
  expect(parseDocComment('*\n * For tests.\n * @internal\n ').isInternal).toBe(true);
});
