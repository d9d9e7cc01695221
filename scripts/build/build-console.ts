import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { thirdPartyLicenses } from './third-party-licenses.ts';

const root = join(import.meta.dirname, '..', '..');
const consoleFolder = join(root, 'packages', 'console');
const sources = ['app', 'api'].map((name) => join(consoleFolder, 'src', name));

/** Where a server that runs from the sources looks for the page. */
export const CONSOLE_PAGE = join(consoleFolder, 'dist', 'app');
/** Says which sources a page was built from. */
const STAMP = 'built-from.txt';

/** Builds the page of the console with everything it needs, and the licenses of what it contains. */
export async function buildConsole(target: string): Promise<void> {
  // Not at every start: loading it takes longer than looking whether there is anything to build.
  const { build } = await import('vite');
  const stamp = await hashOfSources();
  const modules = new Set<string>();
  await build({
    configFile: false,
    root: join(consoleFolder, 'src', 'app'),
    // Found from any path that the console is mounted at.
    base: './',
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: target,
      emptyOutDir: true,
      target: 'es2023',
      // The policy of the page allows no data: URLs but for images.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
    plugins: [
      {
        name: 'list-modules',
        generateBundle(_options, bundle) {
          for (const chunk of Object.values(bundle)) {
            if (chunk.type === 'chunk') for (const module of chunk.moduleIds) modules.add(module);
          }
        },
      },
    ],
  });
  await writeFile(join(target, 'LICENSES.txt'), await thirdPartyLicenses([...modules]));
  await writeFile(join(target, STAMP), stamp);
}

/** Builds the page for a server that runs from the sources, unless it is built from the same ones. */
export async function ensureConsoleBuilt(): Promise<void> {
  const built = await readFile(join(CONSOLE_PAGE, STAMP), 'utf8').catch(() => undefined);
  if (built === (await hashOfSources())) return;
  await mkdir(dirname(CONSOLE_PAGE), { recursive: true });
  // Several processes may want it at once; a server must not see half of it.
  const staging = await mkdtemp(`${CONSOLE_PAGE}-`);
  await buildConsole(staging);
  await rm(CONSOLE_PAGE, { recursive: true, force: true });
  // If another process was faster, its page is as good.
  await rename(staging, CONSOLE_PAGE).catch(() => rm(staging, { recursive: true }));
}

async function hashOfSources(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of [join(root, 'package-lock.json'), import.meta.filename, ...(await filesOfPage())]) {
    hash.update(await readFile(file));
  }
  return hash.digest('hex');
}

async function filesOfPage(): Promise<string[]> {
  const entries = await Promise.all(
    sources.map((folder) => readdir(folder, { recursive: true, withFileTypes: true })),
  );
  return entries
    .flat()
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}
