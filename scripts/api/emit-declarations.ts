import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { ROOT } from './entries.ts';

/** The declarations of the sources, by the path of the source from the root: `packages/store/src/port.ts`. */
export type Declarations = ReadonlyMap<string, string>;

const DECLARATION = '.d.ts';

/**
 * Compiles the packages that programs import to declarations. Nothing is checked: the type check of the workspace does
 * that. `extra` is compiled along, by file name.
 */
export async function emitDeclarations(extra: Readonly<Record<string, string>> = {}): Promise<Declarations> {
  await mkdir(join(ROOT, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(ROOT, '.cache', 'api-'));
  try {
    for (const [name, source] of Object.entries(extra)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), source);
    }
    compile(folder);
    return new Map([
      ...(await readDeclarations(join(folder, 'out'))),
      ...(await readDeclarations(join(folder, 'out', relative(ROOT, folder)))),
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function compile(folder: string): void {
  const project = join(folder, 'tsconfig.json');
  const packages = ['client', 'console', 'hub', 'net', 'protocol', 'runtime', 'store'];
  const settings = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      noCheck: true,
      rootDir: ROOT,
      outDir: join(folder, 'out'),
      typeRoots: [join(ROOT, 'node_modules', '@types')],
    },
    include: [...packages.map((name) => join(ROOT, 'packages', name, 'src')), join(folder, '*.ts')],
    exclude: ['*.test.ts', 'testing/**'].map((tests) => join(ROOT, 'packages', '**', tests)),
  };
  writeFileSync(project, JSON.stringify(settings));
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The declarations cannot be written:\n${stdout}${stderr}`);
}

async function readDeclarations(folder: string): Promise<[string, string][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(DECLARATION));
  return Promise.all(
    files.map(async (entry): Promise<[string, string]> => {
      const file = join(entry.parentPath, entry.name);
      const path = relative(folder, file).split(sep).join('/');
      return [`${path.slice(0, -DECLARATION.length)}.ts`, await readFile(file, 'utf8')];
    }),
  );
}
