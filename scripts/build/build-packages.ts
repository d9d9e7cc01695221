import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { buildConsole } from './build-console.ts';
import { bundleCommands } from './bundle-commands.ts';
import { bundlePlugin } from './bundle-plugin.ts';
import { copyExtraFiles } from './copy-extra-files.ts';
import { publishableManifest, type Manifest } from './publishable-manifest.ts';

const root = join(import.meta.dirname, '..', '..');

export interface BuiltPackage {
  readonly name: string;
  readonly version: string;
  /** The package as it is published. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/**
 * Builds every package below `target`, ready to publish: libraries and the command line as ESM with types, source maps and
 * the sources they lead to, plugins and the commands that are started often as bundles. Dependencies come before the packages
 * that need them.
 */
export async function buildPackages(target: string): Promise<BuiltPackage[]> {
  const sources = await readPackages();
  const libraries = sources.filter(({ manifest }) => manifest.openclaw === undefined);
  const plugins = sources.filter(({ manifest }) => manifest.openclaw !== undefined);
  await mkdir(join(root, '.cache'), { recursive: true });
  const compiled = await mkdtemp(join(root, '.cache', 'build-'));
  try {
    await compile(
      libraries.map(({ name }) => name),
      compiled,
    );
    for (const { name } of libraries) {
      await assemble(name, join(compiled, 'out', name, 'src'), join(target, name));
    }
  } finally {
    await rm(compiled, { recursive: true });
  }
  for (const { name } of plugins) await bundlePlugin(name, join(target, name));
  return Promise.all(sources.map(({ name }) => describeBuilt(join(target, name))));
}

interface SourcePackage {
  /** Of its folder. */
  readonly name: string;
  readonly manifest: Manifest;
}

/** All packages, each after those it depends on. */
async function readPackages(): Promise<SourcePackage[]> {
  const names = (await readdir(join(root, 'packages'))).toSorted();
  const waiting = await Promise.all(
    names.map(async (name) => ({ name, manifest: await readManifest(name) })),
  );
  const ordered: SourcePackage[] = [];
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ manifest }) =>
      waiting.every((other) => !(other.manifest.name in (manifest.dependencies ?? {}))),
    );
    if (next === -1) {
      const circle = waiting.map(({ name }) => name).join(', ');
      throw new Error(`These packages depend on each other: ${circle}`);
    }
    ordered.push(...waiting.splice(next, 1));
  }
  return ordered;
}

async function readManifest(packageFolder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(root, 'packages', packageFolder, 'package.json'), 'utf8'));
}

/** All packages in one go: they import each other's sources. */
async function compile(packageFolders: readonly string[], folder: string): Promise<void> {
  const project = join(folder, 'tsconfig.json');
  await writeFile(
    project,
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        declarationMap: true,
        sourceMap: true,
        rootDir: join(root, 'packages'),
        outDir: join(folder, 'out'),
        typeRoots: [join(root, 'node_modules', '@types')],
      },
      include: packageFolders.map((name) => join(root, 'packages', name, 'src')),
      exclude: ['*.test.ts', 'testing/**', 'console/src/app/**'].map((tests) =>
        join(root, 'packages', '**', tests),
      ),
    }),
  );
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const result = spawnSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`The packages do not compile:\n${result.stdout}${result.stderr}`);
}

async function assemble(packageFolder: string, compiled: string, target: string): Promise<void> {
  const source = join(root, 'packages', packageFolder);
  await rm(target, { recursive: true, force: true });
  await cp(compiled, join(target, 'dist'), { recursive: true });
  await copySql(join(source, 'src'), join(target, 'dist'));
  if (packageFolder === 'console') await buildConsole(join(target, 'dist', 'app'));
  if (packageFolder === 'cli') await bundleCommands(join(target, 'dist'));
  await copySources(join(source, 'src'), target);
  await copyExtraFiles(source, target);
  const published = publishableManifest(await readManifest(packageFolder), await readdir(target));
  await writeFile(join(target, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`);
}

/** Code reads the statements in such a file from the file of this name beside its own. */
async function copySql(source: string, target: string): Promise<void> {
  for (const path of await readdir(source, { recursive: true })) {
    if (path.endsWith('.sql')) await cp(join(source, path), join(target, path));
  }
}

/** Copies the source of every compiled file, and makes its maps lead there. */
async function copySources(source: string, target: string): Promise<void> {
  const compiled = join(target, 'dist');
  for (const entry of await readdir(compiled, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.map')) continue;
    const mapFile = join(entry.parentPath, entry.name);
    const path = relative(compiled, mapFile).replace(/(?:\.d\.ts|\.js)\.map$/, '.ts');
    const copy = join(target, 'src', path);
    await mkdir(dirname(copy), { recursive: true });
    await cp(join(source, path), copy);
    const map: { sources: string[] } = JSON.parse(await readFile(mapFile, 'utf8'));
    const mapped = relative(dirname(mapFile), copy).split(sep).join('/');
    await writeFile(mapFile, JSON.stringify({ ...map, sources: [mapped] }));
  }
}

async function describeBuilt(folder: string): Promise<BuiltPackage> {
  const manifest: Manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  return { name: manifest.name, version: manifest.version, folder, manifest };
}
