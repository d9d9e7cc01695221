import { expect, test } from 'vitest';
import { Modules } from './modules.ts';

const FILES: Readonly<Record<string, string>> = {
  'packages/a/src/index.ts': `
    export * from './all.ts';
    export { inner as outer, type Shape } from './parts.ts';
    export { Library } from 'library';
  `,
  'packages/a/src/all.ts':
    'export declare function all(): void;\nexport declare function all(one: string): void;',
  'packages/a/src/parts.ts': `
    import type { Other } from './other.ts';
    /** Not this one. */

    /** Says what it is. */
    export declare const inner: Other;
    interface Shape { /** Its size. */ size: number }
    export { type Shape };
  `,
  'packages/a/src/other.ts': 'export interface Other { one: 1 }',
};

const modules = new Modules((path) => FILES[path]);
const index = 'packages/a/src/index.ts';

test('exports are followed to where they are declared', () => {
  expect(modules.exportsOf(index)).toEqual(['outer', 'Shape', 'Library', 'all']);
  expect(modules.exportOf(index, 'outer')).toMatchObject({
    name: 'inner',
    module: { path: 'packages/a/src/parts.ts' },
  });
  expect(modules.exportOf(index, 'Shape')).toMatchObject({ name: 'Shape' });
  expect(modules.exportOf(index, 'all')?.nodes).toHaveLength(2);
  expect(modules.exportOf(index, 'Library')).toBeUndefined();
});

test('names that a file uses are followed, too', () => {
  const parts = modules.module('packages/a/src/parts.ts');
  expect(modules.lookUp(parts, 'Other')?.module.path).toBe('packages/a/src/other.ts');
  expect(modules.lookUp(parts, 'Promise')).toBeUndefined();
});

test('the comment of a declaration is the one right before it', () => {
  const parts = modules.module('packages/a/src/parts.ts');
  const [node] = parts.declared.get('inner') ?? [];
  expect(node && parts.commentBefore(node)).toBe('* Says what it is. ');
});

test('a file that cannot be parsed or found is named', () => {
  expect(() => new Modules(() => 'export {').module('broken.ts')).toThrow('broken.ts cannot be parsed');
  expect(() => new Modules(() => undefined).module('missing.ts')).toThrow('There is no missing.ts');
});
