import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { rolldown, type OutputChunk } from 'rolldown';
import { copyExtraFiles } from './copy-extra-files.ts';
import { pluginManifest, type Manifest } from './publishable-manifest.ts';
import { thirdPartyLicenses } from './third-party-licenses.ts';

const root = join(import.meta.dirname, '..', '..');

/** The writer of the SQLite store starts it as a thread, from the file of this name beside its own. */
const WRITER_THREAD = join(root, 'packages', 'store', 'src', 'sqlite', 'writer-thread.ts');
/** The PostgreSQL store reads it, from the file of this name beside its own. */
const POSTGRES_FUNCTIONS = join(root, 'packages', 'store', 'src', 'postgres', 'functions.sql');

/** Which package of others a module belongs to. */
const LIBRARY = /[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/;
/** Which package of the workspace a module belongs to. */
const OWN_PACKAGE = /[/\\]packages[/\\]([^/\\]+)[/\\]src[/\\]/;
/** What the bundler adds for the libraries. */
const BUNDLER_RUNTIME = 'rolldown-runtime';

/**
 * Makes a folder of a plugin that OpenClaw can load where there is nothing else: our code in one file per package, and the
 * code of others in a few more, in a package of its own below node_modules, where people, audits and the host expect it.
 * Only OpenClaw itself is left out.
 */
export async function bundlePlugin(packageFolder: string, target: string): Promise<void> {
  const source = join(root, 'packages', packageFolder);
  const manifest: Manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
  // It comes with the plugin and is published nowhere else.
  const libraries = `${manifest.name}-libraries`;
  const librariesFolder = `node_modules/${libraries}`;
  const chunks = await bundle(entriesOf(source, manifest), librariesFolder);
  await rm(target, { recursive: true, force: true });
  for (const { fileName, code } of chunks) {
    // The host keeps a copy of each package: only by its name does one find another.
    await write(join(target, fileName), code.replaceAll(`"./${librariesFolder}/`, `"${libraries}/`));
  }
  await copyExtraFiles(source, target);
  if (manifest.types !== undefined) {
    // It has nothing but types, so it is its own declaration.
    const name = basename(manifest.types, '.ts');
    await cp(join(source, manifest.types), join(target, `${name}.d.ts`));
    await write(join(target, 'index.d.ts'), declarationsOf(name));
  }
  await writeManifests(manifest, libraries, target);
  const modules = chunks.flatMap((chunk) => Object.keys(chunk.modules));
  if (modules.some((module) => dirname(module) === dirname(POSTGRES_FUNCTIONS))) {
    await cp(POSTGRES_FUNCTIONS, join(target, basename(POSTGRES_FUNCTIONS)));
  }
  await write(join(target, librariesFolder, 'LICENSES.txt'), await thirdPartyLicenses(modules));
}

/** Of the entry that OpenClaw loads, whose default export is the plugin. */
function declarationsOf(contract: string): string {
  return `export type * from './${contract}.js';

declare const plugin: {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  register(api: unknown): void;
};
export default plugin;
`;
}

function entriesOf(source: string, { openclaw }: Manifest): Record<string, string> {
  const loaded = [...(openclaw?.extensions ?? []), ...(openclaw?.setupEntry ? [openclaw.setupEntry] : [])];
  const files = [...loaded.map((path) => join(source, path)), WRITER_THREAD];
  return Object.fromEntries(files.map((file) => [basename(file, '.ts'), file]));
}

async function bundle(entries: Record<string, string>, librariesFolder: string): Promise<OutputChunk[]> {
  const build = await rolldown({
    input: entries,
    platform: 'node',
    external: [/^node:/, /^openclaw(\/|$)/],
    preserveEntrySignatures: 'allow-extension',
    // Of no consequence here: whether a module that is loaded late lies in a file of its own.
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await build.generate({
    format: 'esm',
    chunkFileNames: ({ name }) => (name === BUNDLER_RUNTIME ? `${librariesFolder}/[name].js` : '[name].js'),
    codeSplitting: {
      groups: [
        {
          debugName: 'libraries',
          priority: 1,
          test: LIBRARY,
          name: (module) => `${librariesFolder}/${libraryFile(module)}`,
        },
        // What is loaded late stays late, in files of its own.
        {
          debugName: 'packages',
          test: OWN_PACKAGE,
          tags: ['$initial'],
          includeDependenciesRecursively: false,
          name: packageFile,
        },
      ],
    },
  });
  await build.close();
  return output.filter((file) => file.type === 'chunk');
}

function libraryFile(module: string): string {
  const [, library = ''] = LIBRARY.exec(module) ?? [];
  return library.replace(/^@/, '').replaceAll(/[/\\]/g, '-');
}

/** One file per package; but what runs as a thread runs alone. */
function packageFile(module: string): string | null {
  return module === WRITER_THREAD ? null : (OWN_PACKAGE.exec(module)?.[1] ?? null);
}

async function writeManifests(manifest: Manifest, libraries: string, target: string): Promise<void> {
  const { version } = manifest;
  await writeJson(join(target, 'package.json'), {
    ...pluginManifest(manifest, await readdir(target)),
    dependencies: { [libraries]: version },
    bundledDependencies: [libraries],
  });
  await writeJson(join(target, 'node_modules', libraries, 'package.json'), {
    name: libraries,
    version,
    description: 'The libraries that the plugin beside it uses.',
    license: 'SEE LICENSE IN LICENSES.txt',
    type: 'module',
  });
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await write(file, `${JSON.stringify(value, undefined, 2)}\n`);
}

async function write(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
