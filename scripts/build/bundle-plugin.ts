import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { rolldown } from 'rolldown';
import { copyExtraFiles } from './copy-extra-files.ts';
import { publishableManifest, type Manifest } from './publishable-manifest.ts';
import { thirdPartyLicenses } from './third-party-licenses.ts';

const root = join(import.meta.dirname, '..', '..');

/** The writer of the SQLite store starts it as a thread, from the file of this name beside its own. */
const WRITER_THREAD = join(root, 'packages', 'store', 'src', 'sqlite', 'writer-thread.ts');

/** The part of a path that says which package of others a file belongs to. */
const LIBRARY = /node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/;

/**
 * Makes a folder of a plugin that OpenClaw can load where there is nothing else: our code in a few files, and the code of
 * others in a few more below node_modules, where people and audits look for it. Only OpenClaw itself is left out.
 */
export async function bundlePlugin(packageFolder: string, target: string): Promise<void> {
  const source = join(root, 'packages', packageFolder);
  const manifest: Manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  const modules = await bundle(entriesOf(source, manifest), target);
  await copyExtraFiles(source, target);
  await writeFile(join(target, 'THIRD-PARTY-LICENSES.txt'), await thirdPartyLicenses(modules));
  // Without dependencies, the installer of OpenClaw has no reason to ask a registry for anything.
  const { dependencies: _, exports: __, ...rest } = manifest;
  await writeFile(
    join(target, 'package.json'),
    `${JSON.stringify(publishableManifest(rest), undefined, 2)}\n`,
  );
}

function entriesOf(source: string, { openclaw }: Manifest): Record<string, string> {
  const loaded = [...(openclaw?.extensions ?? []), ...(openclaw?.setupEntry ? [openclaw.setupEntry] : [])];
  const files = [...loaded.map((path) => join(source, path)), WRITER_THREAD];
  return Object.fromEntries(files.map((file) => [basename(file, '.ts'), file]));
}

/** Gives the files that went into the bundle. */
async function bundle(entries: Record<string, string>, target: string): Promise<string[]> {
  const build = await rolldown({
    input: entries,
    platform: 'node',
    external: [/^node:/, /^openclaw(\/|$)/],
    // Of no consequence here: whether a module that is loaded late lies in a file of its own.
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await build.write({
    dir: target,
    format: 'esm',
    chunkFileNames: ({ name }) => (LIBRARY.test(name) ? '[name].js' : '[name]-[hash].js'),
    codeSplitting: { groups: [{ debugName: 'libraries', test: LIBRARY, name: libraryFile }] },
  });
  await build.close();
  return output.flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []));
}

function libraryFile(module: string): string {
  return `${LIBRARY.exec(module)?.[0]}/bundle`;
}
