import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyExtraFiles } from './copy-extra-files.ts';
import { publishableManifest, type Manifest } from './publishable-manifest.ts';

const root = join(import.meta.dirname, '..', '..');

export interface BuiltPackage {
  name: string;
  folder: string;
}

/** Compiles every package to plain ESM with types, into the folder that `folderFor` names: a package ready to publish. */
export async function buildPackages(folderFor: (packageFolder: string) => string): Promise<BuiltPackage[]> {
  await mkdir(join(root, '.cache'), { recursive: true });
  const compiled = await mkdtemp(join(root, '.cache', 'build-'));
  try {
    await compile(compiled);
    const packageFolders = (await readdir(join(root, 'packages'))).toSorted();
    return await Promise.all(
      packageFolders.map((name) => assemble(name, join(compiled, 'out', name, 'src'), folderFor(name))),
    );
  } finally {
    await rm(compiled, { recursive: true });
  }
}

/** All packages in one go: they import each other's sources. */
async function compile(folder: string): Promise<void> {
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
      include: [join(root, 'packages', '*', 'src')],
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
  await copyExtraFiles(source, target);
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
