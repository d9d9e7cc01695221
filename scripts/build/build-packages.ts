import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publishableManifest, type Manifest } from './publishable-manifest.ts';

const root = join(import.meta.dirname, '..', '..');

/** Everything else that lies in the folder of a package goes along: schemas, manifests for hosts, skills. */
const NOT_PUBLISHED_AS_IT_IS = new Set(['src', 'dist', 'node_modules', 'package.json']);

export interface BuiltPackage {
  name: string;
  folder: string;
}

/**
 * Compiles packages, or all of them, to plain ESM with types, each into the folder that `folderFor` names: a package ready
 * to publish.
 */
export async function buildPackages(
  folderFor: (packageFolder: string) => string,
  packageFolders?: readonly string[],
): Promise<BuiltPackage[]> {
  const names = packageFolders ?? (await readdir(join(root, 'packages'))).toSorted();
  await mkdir(join(root, '.cache'), { recursive: true });
  const compiled = await mkdtemp(join(root, '.cache', 'build-'));
  try {
    await compile(names, compiled);
    const built: BuiltPackage[] = [];
    // One after the other: the folder of one may lie in the folder of one before it.
    for (const name of names) {
      built.push(await assemble(name, join(compiled, 'out', name, 'src'), folderFor(name)));
    }
    return built;
  } finally {
    await rm(compiled, { recursive: true });
  }
}

/** All in one go: they import each other's sources. */
async function compile(packageFolders: readonly string[], folder: string): Promise<void> {
  const project = join(folder, 'tsconfig.json');
  await writeFile(
    project,
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        rootDir: join(root, 'packages'),
        outDir: join(folder, 'out'),
        typeRoots: [join(root, 'node_modules', '@types')],
      },
      include: packageFolders.map((name) => join(root, 'packages', name, 'src')),
      exclude: ['*.test.ts', 'testing/**'].map((tests) => join(root, 'packages', '**', tests)),
    }),
  );
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const result = spawnSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`The packages do not compile:\n${result.stdout}${result.stderr}`);
}

async function assemble(packageFolder: string, compiled: string, target: string): Promise<BuiltPackage> {
  const source = join(root, 'packages', packageFolder);
  await rm(target, { recursive: true, force: true });
  await cp(compiled, target, { recursive: true });
  await rewriteFileUrls(target);
  const manifest: Manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
  await writeFile(
    join(target, 'package.json'),
    `${JSON.stringify(publishableManifest(manifest), undefined, 2)}\n`,
  );
  await cp(join(root, 'LICENSE'), join(target, 'LICENSE'));
  await cp(join(root, 'README.md'), join(target, 'README.md'));
  for (const name of await readdir(source)) {
    if (!NOT_PUBLISHED_AS_IT_IS.has(name))
      await cp(join(source, name), join(target, name), { recursive: true });
  }
  return { name: manifest.name, folder: target };
}

/** The compiler rewrites imports but not `new URL('./worker.ts', import.meta.url)`. */
async function rewriteFileUrls(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.js')) continue;
    const file = join(entry.parentPath, entry.name);
    const before = await readFile(file, 'utf8');
    const after = before.replaceAll(
      /new URL\((['"])(\.[^'"]+)\.ts\1, import\.meta\.url\)/g,
      'new URL($1$2.js$1, import.meta.url)',
    );
    if (after !== before) await writeFile(file, after);
  }
}
