import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** An import in code, not in the example of a comment. */
const NODE_IMPORT = /^(?!\s*\*).*from 'node:/m;

const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(import.meta.dirname, path), 'utf8') }));

describe('the package', () => {
  it('runs in a browser: no source imports a module of Node', () => {
    expect(sources.filter(({ text }) => NODE_IMPORT.test(text)).map(({ path }) => path)).toEqual([]);
    expect(NODE_IMPORT.test("import {\n  join,\n} from 'node:path';")).toBe(true);
  });

  it('imports the SDK in one folder only', () => {
    const users = sources.filter(({ text }) => text.includes("'@a2a-js/sdk")).map(({ path }) => path);
    expect(users.length).toBeGreaterThan(0);
    expect(users.filter((path) => !path.startsWith('sdk'))).toEqual([]);
  });

  it('does not reach the SDK from its main entry', () => {
    const main = sources.find(({ path }) => path === 'index.ts');
    expect(main?.text).not.toContain('./sdk/');
  });
});
