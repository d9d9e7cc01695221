import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { describe, expect, test } from 'vitest';

/** What users may import, per package. The rest is `./internal…` for our own packages and `./testing…` for this workspace. */
const PUBLIC_ENTRIES: Readonly<Record<string, readonly string[]>> = {
  '@holdword/cli': ['./holdword.config.schema.json', './package.json'],
  '@holdword/client': ['.', './mcp'],
  '@holdword/console': ['.'],
  '@holdword/hub': ['.'],
  '@holdword/net': [],
  '@holdword/openclaw-a2a-inbound': ['.'],
  '@holdword/openclaw-a2a-outbound': ['.'],
  '@holdword/protocol': ['.'],
  '@holdword/runtime': ['.', './adapter', './connect', './push-receiver'],
  '@holdword/store': ['.'],
};

/** Libraries that a program loads only when it uses what needs them. */
const LOADED_LATE = [
  '@a2a-js/sdk',
  '@agentclientprotocol/sdk',
  '@grpc/grpc-js',
  '@modelcontextprotocol/node',
  '@modelcontextprotocol/server',
  'node:sqlite',
  'pg',
  'pino',
  'prom-client',
];

/** Whose purpose is such a library. */
const MAY_LOAD: Readonly<Record<string, readonly string[]>> = {
  '@holdword/client/mcp': ['@modelcontextprotocol/node', '@modelcontextprotocol/server'],
  '@holdword/hub': ['@modelcontextprotocol/node', '@modelcontextprotocol/server'],
};

interface Manifest {
  name: string;
  exports: Record<string, string>;
}

const root = import.meta.dirname;
const packages = readdirSync(join(root, 'packages')).map((folder) => {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));
  return { folder: join(root, 'packages', folder), ...manifest };
});

/** Every entry by what one writes to import it: `@holdword/client/mcp`. */
const entryFiles = new Map(
  packages.flatMap(({ name, folder, exports }) =>
    Object.entries(exports).map(([entry, file]) => [name + entry.slice(1), join(folder, file)] as const),
  ),
);

const publicEntries = Object.entries(PUBLIC_ENTRIES)
  .flatMap(([name, entries]) => entries.map((entry) => name + entry.slice(1)))
  .filter((entry) => entryFiles.get(entry)?.endsWith('.ts'));

test.each(packages)('$name offers its public entries and no others', ({ name, exports }) => {
  const offered = Object.keys(exports).filter((entry) => !/^\.\/(internal|testing)(\/|$)/.test(entry));
  expect(offered.toSorted()).toEqual(PUBLIC_ENTRIES[name]);
});

test('pages and examples import only what is public', () => {
  const files = ['README.md', ...filesBelow('docs', '.md'), ...filesBelow('examples', '.ts', '.mjs', '.md')];
  const wrong = files
    .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('docs/decisions/'))
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/\bfrom '(@holdword\/[^']+)'/g)]
        .map(([, specifier = '']) => specifier)
        .filter((specifier) => !publicEntries.includes(specifier))
        .map((specifier) => `${file} imports ${specifier}`),
    );
  expect(wrong).toEqual([]);
});

describe.each(publicEntries.filter((entry) => !entry.includes('openclaw')))('importing %s', (entry) => {
  test('loads no library that most programs do without', () => {
    const allowed = MAY_LOAD[entry] ?? [];
    const loaded = librariesLoadedBy(entryFiles.get(entry) ?? '');
    expect(loaded.filter((name) => LOADED_LATE.includes(name) && !allowed.includes(name))).toEqual([]);
  });
});

test('what a module loads is found, through other packages and not through types or late imports', () => {
  expect(librariesLoadedBy(entryFiles.get('@holdword/runtime') ?? '')).toEqual(
    expect.arrayContaining(['zod', 'jose', '@opentelemetry/api']),
  );
  expect(librariesLoadedBy(entryFiles.get('@holdword/runtime/internal/observe') ?? '')).toContain('pino');
});

/** The packages of others that are loaded when a file is imported. */
function librariesLoadedBy(entry: string): string[] {
  const seen = new Set<string>();
  const libraries = new Set<string>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const specifier of loadedSpecifiers(readFileSync(file, 'utf8'))) {
      const own = specifier.startsWith('.') ? join(dirname(file), specifier) : entryFiles.get(specifier);
      if (own === undefined) libraries.add(libraryName(specifier));
      else open.push(own);
    }
  }
  return [...libraries];
}

/** Static imports and re-exports of values. */
function loadedSpecifiers(source: string): string[] {
  const statements = source.matchAll(/^(?:import|export)\s+(?!type\b)[^;'"]*?\bfrom\s+'([^']+)'/gm);
  const bare = source.matchAll(/^import\s+'([^']+)'/gm);
  return [...statements, ...bare].map((match) => match[1] ?? '');
}

function libraryName(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function filesBelow(folder: string, ...endings: string[]): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
}
