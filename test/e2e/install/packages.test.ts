import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import {
  checkPackage,
  createPackageFromTarballData,
  type Package,
  type Problem,
} from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { beforeAll, describe, expect, test } from 'vitest';
import { packedPackages } from '../../docs/packed-packages.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly scripts?: object;
  readonly devDependencies?: object;
  readonly bin?: Readonly<Record<string, string>>;
  readonly openclaw?: { readonly extensions: readonly string[] };
  readonly types?: string;
}

const root = join(import.meta.dirname, '..', '..', '..');
const folders = (await readdir(join(root, 'packages'))).toSorted();

/** Are not compiled file by file: the page of the console, and the commands that start from a bundle. */
const BUNDLES = [/^dist\/app\//, /^dist\/bundled(\/.*)?\.js$/];

/** The packages are ES modules: how CommonJS and TypeScript before `exports` would see them does not matter. */
const NOT_ESM = new Set(['node10', 'node16-cjs']);

let tarballs: string;
beforeAll(async () => {
  tarballs = await packedPackages();
}, 600_000);

describe.each(folders)('the tarball of packages/%s', (folder) => {
  let source: Manifest;
  let tarball: Uint8Array<ArrayBuffer>;
  let packed: Package;
  let manifest: Manifest;
  let files: string[];

  beforeAll(async () => {
    source = JSON.parse(await readFile(join(root, 'packages', folder, 'package.json'), 'utf8'));
    const name = `${source.name.slice(1).replace('/', '-')}-${source.version}.tgz`;
    tarball = new Uint8Array(await readFile(join(tarballs, name)));
    packed = createPackageFromTarballData(tarball);
    const inside = `/node_modules/${source.name}/`;
    files = packed.listFiles().map((file) => file.slice(inside.length));
    manifest = JSON.parse(packed.readFile(`${inside}package.json`));
  });

  const read = (file: string): string => packed.readFile(`/node_modules/${source.name}/${file}`);

  test('is the built package', () => {
    expect(manifest).toMatchObject({ name: source.name, version: source.version });
    expect(manifest).not.toHaveProperty('private');
    expect(manifest).not.toHaveProperty('scripts');
    expect(manifest).not.toHaveProperty('devDependencies');
    const entries = [...Object.values(manifest.bin ?? {}), ...(manifest.openclaw?.extensions ?? [])];
    for (const entry of entries) expect(files).toContain(posix.normalize(entry));
    expect(files).toEqual(expect.arrayContaining(['package.json', 'README.md', 'LICENSE']));
  });

  test('has no tests and no test tools', () => {
    expect(files.filter((file) => /\.test\.|(^|\/)testing\//.test(file))).toEqual([]);
  });

  test('has the source of every compiled file', () => {
    const compiled = files.filter(
      (file) => /^dist\/.*\.(js|d\.ts)$/.test(file) && !BUNDLES.some((bundle) => bundle.test(file)),
    );
    expect(compiled.length > 0).toBe(source.openclaw === undefined);
    for (const file of compiled) {
      expect(read(file)).toContain(`//# sourceMappingURL=${posix.basename(file)}.map`);
      const { sources }: { sources: string[] } = JSON.parse(read(`${file}.map`));
      for (const each of sources) expect(files).toContain(posix.join(dirname(file), each));
    }
  });

  test('has nothing that publint would change', async () => {
    const { messages, pkg } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  test('has types that every entry resolves to', async () => {
    const result = await checkPackage(packed, { excludeEntrypoints: [/\.json$/] });
    // A plugin is loaded by OpenClaw and imported by nobody, except for types that it publishes.
    expect(result.types !== false).toBe(source.openclaw === undefined || source.types !== undefined);
    if (result.types === false) return;
    expect(result.problems.filter(matters)).toEqual([]);
  });
});

function matters(problem: Problem): boolean {
  if ('resolutionKind' in problem) return !NOT_ESM.has(problem.resolutionKind);
  return !('resolutionOption' in problem) || problem.resolutionOption !== 'node10';
}
