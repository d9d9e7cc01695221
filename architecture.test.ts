import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importGraph } from './scripts/code-shape/import-graph.ts';
import { importsOf, isProduct } from './scripts/code-shape/read-sources.ts';

/** Which packages of the workspace each one may import. What two need moves down. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  net: ['protocol'],
  protocol: [],
  store: ['protocol'],
  runtime: ['net', 'protocol', 'store'],
  client: ['net', 'protocol', 'store'],
  hub: ['net', 'protocol', 'store', 'runtime', 'client'],
  console: ['net', 'protocol', 'store', 'runtime', 'client', 'hub'],
  'openclaw-inbound': ['net', 'protocol', 'store', 'runtime'],
  'openclaw-outbound': ['net', 'protocol', 'store', 'client'],
  cli: ['net', 'protocol', 'store', 'runtime', 'client', 'hub', 'console'],
};

/** Inside a package: which folders each folder must not reach up to. */
const MUST_NOT_REACH: Readonly<Record<string, readonly string[]>> = {
  'packages/runtime/src/engine/': ['operations', 'serve', 'connect'],
  'packages/runtime/src/push/': ['engine', 'operations', 'serve', 'connect'],
  'packages/runtime/src/operations/': ['serve', 'connect'],
  'packages/runtime/src/serve/': ['connect'],
  'packages/runtime/src/executors/': ['operations', 'serve', 'agents', 'adapter', 'connect'],
  'packages/runtime/src/agents/': ['operations', 'serve', 'adapter'],
  'packages/runtime/src/observe/': ['engine', 'operations', 'serve'],
  'packages/hub/src/wire/': ['sessions', 'identity', 'messages', 'handoff', 'heartbeats', 'serve'],
  'packages/hub/src/sessions/': ['identity', 'messages', 'handoff', 'heartbeats', 'serve'],
  'packages/hub/src/identity/': ['messages', 'handoff', 'heartbeats', 'serve'],
  'packages/hub/src/messages/': ['handoff', 'heartbeats', 'responder', 'status', 'mcp', 'serve'],
  'packages/hub/src/handoff/': ['messages', 'heartbeats', 'responder', 'status', 'mcp', 'serve'],
  'packages/hub/src/incidents/': ['messages', 'handoff', 'heartbeats', 'responder', 'serve'],
  'packages/hub/src/heartbeats/': ['messages', 'responder', 'status', 'mcp', 'serve'],
  'packages/hub/src/responder/': ['handoff', 'status', 'mcp', 'serve'],
  'packages/hub/src/status/': ['messages', 'responder', 'mcp', 'serve'],
  'packages/hub/src/mcp/': ['discovery', 'serve'],
  'packages/hub/src/discovery/': ['serve'],
  'packages/console/src/api/': ['server'],
  'packages/client/src/peers/': ['agents', 'session', 'tools', 'mcp'],
  'packages/client/src/agents/': ['session', 'tools', 'mcp'],
  'packages/client/src/session/': ['tools', 'mcp'],
  'packages/openclaw-inbound/src/config/': ['auth', 'host', 'dispatch', 'serve', 'stores', 'channel'],
  'packages/openclaw-inbound/src/auth/': ['host', 'dispatch', 'serve', 'stores', 'channel'],
  'packages/openclaw-inbound/src/host/': ['dispatch', 'serve', 'stores', 'channel'],
  'packages/openclaw-inbound/src/dispatch/': ['serve', 'stores', 'channel'],
  'packages/openclaw-inbound/src/serve/': ['dispatch', 'stores', 'channel'],
  'packages/openclaw-inbound/src/stores/': ['auth', 'host', 'dispatch', 'serve', 'channel'],
  'packages/openclaw-outbound/src/targets/': ['state', 'request', 'calls', 'results', 'actions'],
  'packages/openclaw-outbound/src/state/': ['request', 'calls', 'results', 'actions'],
  'packages/openclaw-outbound/src/request/': ['calls', 'results', 'actions'],
  'packages/openclaw-outbound/src/calls/': ['request', 'results', 'actions'],
  'packages/openclaw-outbound/src/results/': ['actions'],
};

/** One door per foreign library: the only places that may import it. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  '@a2a-js/sdk': ['packages/protocol/src/sdk/'],
  '@agentclientprotocol/sdk': ['packages/runtime/src/executors/acp/'],
  '@bufbuild/protobuf': ['packages/protocol/src/'],
  '@grpc/grpc-js': ['packages/runtime/src/serve/grpc-', 'packages/client/src/peers/grpc-wire.ts'],
  '@opentelemetry/api': ['packages/runtime/src/observe/'],
  '@modelcontextprotocol/node': ['packages/client/src/mcp/', 'packages/hub/src/mcp/'],
  '@modelcontextprotocol/server': ['packages/client/src/mcp/', 'packages/hub/src/mcp/'],
  ajv: ['packages/openclaw-outbound/src/request/check-request.ts'],
  'jsonc-parser': ['packages/cli/src/config/'],
  'node:sqlite': ['packages/store/src/'],
  'node:http': [
    'packages/net/src/',
    'packages/runtime/src/serve/',
    'packages/runtime/src/connect/connect-routes.ts',
    'packages/client/src/mcp/',
    'packages/console/src/server/',
    'packages/cli/src/pairing/pairing-offer.ts',
    'packages/hub/src/serve/',
    'packages/hub/src/wire/hub-method.ts',
    'packages/openclaw-inbound/src/',
    'packages/cli/src/calling/notification-server.ts',
    'packages/cli/src/demo/',
  ],
  'node:https': ['packages/net/src/'],
  express: [],
  kysely: [],
  openclaw: ['packages/openclaw-inbound/src/api.ts'],
  pino: ['packages/runtime/src/observe/'],
  'prom-client': ['packages/runtime/src/observe/'],
  pg: ['packages/store/src/postgres/'],
};

/** Published as one file with everything that it imports. */
const BUNDLED_PAGE = 'packages/console/src/app/';

interface SourceFile {
  /** From the root of the workspace, with forward slashes. */
  path: string;
  packageFolder: string;
  text: string;
  imports: string[];
}

const root = import.meta.dirname;
const packageFolders = (await readdir(join(root, 'packages'))).toSorted();
const sources = (await Promise.all(packageFolders.map(readSources))).flat();
const productSources = sources.filter(({ path }) => isProduct(path));
/** By path, however many folders an import goes up. */
const resolvedImports = importGraph(productSources);

async function readSources(packageFolder: string): Promise<SourceFile[]> {
  const files = await listFiles(join(root, 'packages', packageFolder, 'src'));
  return files
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => {
      const text = readFileSync(file, 'utf8');
      return {
        path: relative(root, file).split(sep).join('/'),
        packageFolder,
        text,
        imports: importsOf(text),
      };
    });
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** `@scope/name` or `name` of an import, without its subpath. */
function packageNameOf(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

interface Manifest {
  name: string;
  dependencies?: Record<string, string>;
  /** What the program or the host that loads the package brings along. */
  peerDependencies?: Record<string, string>;
}

function manifestOf(packageFolder: string): Manifest {
  return JSON.parse(readFileSync(join(root, 'packages', packageFolder, 'package.json'), 'utf8'));
}

function peersOf(packageFolder: string | undefined): string[] {
  return packageFolder === undefined ? [] : Object.keys(manifestOf(packageFolder).peerDependencies ?? {});
}

const folderOfName = new Map(packageFolders.map((folder) => [manifestOf(folder).name, folder]));

test('the imports are found at all', () => {
  expect(productSources.length).toBeGreaterThan(30);
  expect(productSources.flatMap(({ imports }) => imports)).toContain('zod');
});

describe.each(packageFolders)('package %s', (packageFolder) => {
  const own = sources.filter((file) => file.packageFolder === packageFolder);

  test('imports only packages below it', () => {
    const wrong = own.flatMap(({ path, imports }) =>
      imports
        .map((specifier) => folderOfName.get(packageNameOf(specifier)))
        .filter((target) => target !== undefined && target !== packageFolder)
        .filter((target) => !(MAY_IMPORT[packageFolder] ?? []).includes(target ?? ''))
        .map((target) => `${path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('reaches other packages by their name, not by a path', () => {
    const wrong = own.flatMap(({ path, imports }) =>
      imports
        .filter((specifier) => specifier.startsWith('.'))
        .filter(
          (specifier) => !join('/', path, '..', specifier).startsWith(join('/packages', packageFolder) + sep),
        )
        .map((specifier) => `${path} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  test('its manifest lists exactly what it imports', () => {
    const product = productSources.filter(
      (file) => file.packageFolder === packageFolder && !file.path.startsWith(BUNDLED_PAGE),
    );
    const { name: ownName, dependencies = {}, peerDependencies = {} } = manifestOf(packageFolder);
    const imported = new Set(
      product
        .flatMap(({ imports }) => imports)
        .filter((specifier) => !specifier.startsWith('.') && !specifier.startsWith('node:'))
        .map(packageNameOf)
        // OpenClaw loads its plugins, whether or not they import it.
        .filter((name) => name !== ownName && name !== 'openclaw'),
    );
    // Peers of a sibling have to come from somewhere: from this package, or from whatever depends on it.
    const inherited = Object.keys(dependencies).flatMap((name) => peersOf(folderOfName.get(name)));
    const needed = new Set([...imported, ...inherited]);
    const { openclaw: _, ...listed } = { ...dependencies, ...peerDependencies };
    expect(Object.keys(listed).toSorted()).toEqual([...needed].toSorted());
  });
});

test('inside a package, folders do not reach up', () => {
  const wrong = Object.entries(MUST_NOT_REACH).flatMap(([folder, forbidden]) => {
    const above = forbidden.map((name) => join(folder, '..', name, '/'));
    return [...resolvedImports]
      .filter(([path]) => path.startsWith(folder))
      .flatMap(([path, targets]) =>
        targets
          .filter((target) => above.some((each) => target.startsWith(each)))
          .map((target) => `${path} imports ${target}`),
      );
  });
  expect(wrong).toEqual([]);
});

test('the folders and doors named here exist', () => {
  const named = [
    ...Object.entries(MUST_NOT_REACH).flatMap(([folder, forbidden]) => [
      folder,
      ...forbidden.map((name) => join(folder, '..', name, '/')),
    ]),
    ...Object.values(DOORS).flat(),
  ];
  expect(named.filter((path) => !productSources.some((file) => file.path.startsWith(path)))).toEqual([]);
});

test('every door is used', () => {
  const unused = Object.entries(DOORS).flatMap(([library, doors]) =>
    doors
      .filter((door) => !importersOf(library).some((path) => path.startsWith(door)))
      .map((door) => `${library} at ${door}`),
  );
  expect(unused).toEqual([]);
});

test.each(Object.entries(DOORS))('%s is imported only at its door', (library, doors) => {
  const wrong = importersOf(library).filter((path) => !doors.some((door) => path.startsWith(door)));
  expect(wrong).toEqual([]);
});

function importersOf(library: string): string[] {
  return productSources
    .filter(({ imports }) => imports.some((specifier) => packageNameOf(specifier) === library))
    .map(({ path }) => path);
}

test('protocol runs in a browser: it imports nothing of Node', () => {
  const wrong = productSources
    .filter(({ packageFolder }) => packageFolder === 'protocol')
    .flatMap(({ path, imports }) =>
      imports
        .filter((specifier) => specifier.startsWith('node:'))
        .map((specifier) => `${path} imports ${specifier}`),
    );
  expect(wrong).toEqual([]);
});

test('product code imports no test tools', () => {
  const wrong = productSources.filter(({ imports }) => imports.includes('vitest')).map(({ path }) => path);
  expect(wrong).toEqual([]);
});

test('file names are kebab-case', async () => {
  const folders = ['packages', 'test', 'bench', 'examples', 'scripts', 'docs'];
  const files = (await Promise.all(folders.map((folder) => listFiles(join(root, folder))))).flat();
  const wrong = files
    .filter((file) => /\.(ts|mjs|md)$/.test(file) && !/[/\\](node_modules|dist)[/\\]/.test(file))
    .filter((file) => !/^([a-z0-9]+(-[a-z0-9]+)*)(\.test|\.d)?\.(ts|mjs|md)$/.test(basename(file)))
    .filter((file) => !['README.md', 'CHANGELOG.md', 'SKILL.md'].includes(basename(file)));
  expect(wrong.map((file) => relative(root, file))).toEqual([]);
});
