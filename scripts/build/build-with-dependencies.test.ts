import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { buildWithDependencies } from './build-with-dependencies.ts';

const PROGRAM = `
  import { openSqliteStore } from './built/sqlite/open-sqlite-store.js';
  import { openPostgresStore } from './built/postgres/open-postgres-store.js';
  const store = await openSqliteStore({ folder: 'data' });
  await store.close();
  console.log(typeof openPostgresStore);
`;

test(
  'a package built with its dependencies runs where there is nothing else',
  { timeout: 120_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await buildWithDependencies('store', join(folder, 'built'));
    await writeFile(join(folder, 'program.mjs'), PROGRAM);
    const { stdout } = await promisify(execFile)(process.execPath, ['program.mjs'], { cwd: folder });
    expect(stdout).toBe('function\n');
    const bundled = await readdir(join(folder, 'built', 'node_modules'), { recursive: true });
    expect(bundled).toContain(join('@parley', 'protocol', 'index.js'));
    expect(bundled).toContain(join('pg-protocol', 'package.json'));
    expect(bundled.filter((file) => /^(?!@parley).*\.(ts|map)$/.test(file))).toEqual([]);
  },
);
