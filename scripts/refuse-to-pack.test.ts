import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const run = promisify(execFile);
const packages = join(import.meta.dirname, '..', 'packages');

describe.each(await readdir(packages))('packages/%s', (name) => {
  const cwd = join(packages, name);

  test('is not packed as it is, and says what to run instead', async () => {
    const refused = await run('npm', ['pack', '--dry-run'], { cwd }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('"npm run pack"') });
  });

  test('cannot be published as it is, and holds nothing where scripts are ignored', async () => {
    const manifest = JSON.parse(await readFile(join(cwd, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ private: true, files: [] });
    const { stdout } = await run('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], { cwd });
    const [{ files }]: [{ files: { path: string }[] }] = JSON.parse(stdout);
    const sources = files.map(({ path }) => path).filter((path) => /\.(ts|js)$/.test(path));
    // npm packs the file of a command whatever the manifest says.
    expect(sources).toEqual(Object.values<string>(manifest.bin ?? {}).map((path) => path.replace('./', '')));
  });
});
