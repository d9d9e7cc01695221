import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCES = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .toSorted();

// node:sqlite binds positional arguments to numbered parameters (`?1`) only from Node 22.20 and 24.7 on. Older versions
// that we support throw "column index out of range", so a value that a statement needs twice is passed twice.
it('uses no numbered SQL parameters, which older versions of node:sqlite cannot bind by position', () => {
  const numbered = SOURCES.flatMap((name) =>
    readFileSync(join(import.meta.dirname, name), 'utf8')
      .split('\n')
      .flatMap((line, index) => (/\?\d/.test(line) ? [`${name}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(SOURCES).toContain('journal-writes.ts');
  expect(numbered).toEqual([]);
});
