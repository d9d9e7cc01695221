import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

// Imported by URL: the scripts are plain JavaScript and have no types.
const { SUPPORTED_NODE }: { SUPPORTED_NODE: string } = await import(
  new URL('scripts/lib/supported-node.mjs', import.meta.url).href
);

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly engines: { readonly node: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly openclaw?: object;
}

const REPOSITORY = 'https://github.com/holdword/holdword';
/** Libraries whose objects cross our interfaces or which hold state for the whole process: the program has one copy. */
const PEERS: Readonly<Record<string, string>> = { '@opentelemetry/api': '^1.9.0', zod: '^4.3.0' };
/** What is started and not imported brings the peers along. */
const PROGRAMS = new Set([
  '@holdword/cli',
  '@holdword/openclaw-a2a-inbound',
  '@holdword/openclaw-a2a-outbound',
]);

const packageFolders = (await readdir(join(import.meta.dirname, 'packages'))).toSorted();
const manifests = new Map(packageFolders.map((folder) => [folder, readManifest(folder)]));
const byName = new Map([...manifests.values()].map((manifest) => [manifest.name, manifest]));

function readManifest(folder: string): Manifest {
  return readJson(folder, 'package.json') as Manifest;
}

function readJson(folder: string, file: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'packages', folder, file), 'utf8'));
}

test('all packages have the same version', () => {
  expect(new Set([...manifests.values()].map(({ version }) => version)).size).toBe(1);
});

test('the manifests of plugins name the version of their packages', () => {
  for (const [folder, { version, openclaw }] of manifests) {
    if (openclaw !== undefined) expect(readJson(folder, 'openclaw.plugin.json')).toMatchObject({ version });
  }
});

describe.each([...manifests])('packages/%s', (folder, manifest) => {
  const { name, dependencies = {}, peerDependencies = {} } = manifest;

  test('describes itself on npm', () => {
    expect(manifest).toMatchObject({
      homepage: `${REPOSITORY}/tree/main/packages/${folder}#readme`,
      bugs: { url: `${REPOSITORY}/issues` },
      repository: { type: 'git', url: `git+${REPOSITORY}.git`, directory: `packages/${folder}` },
      license: 'Apache-2.0',
      author: 'The Holdword authors',
    });
    expect(manifest.description).toMatch(/^[A-Z].*\.$/);
    expect(manifest.keywords).toEqual(expect.arrayContaining(['a2a', 'agents']));
  });

  test('names the supported versions of Node', () => {
    // OpenClaw decides which Node its plugins run on.
    expect(manifest.engines.node).toBe(manifest.openclaw === undefined ? SUPPORTED_NODE : '>=24.16');
  });

  test('accepts compatible versions of libraries, and one version of its siblings', () => {
    const ranges = Object.entries(dependencies).filter(([each]) => !byName.has(each));
    for (const [library, range] of ranges) expect(range, library).toMatch(/^\^\d+\.\d+\.\d+$/);
    for (const [each, range] of Object.entries(dependencies)) {
      if (byName.has(each)) expect(range, each).toBe(manifest.version);
    }
  });

  test('shares peers with the program, and passes on those of its siblings', () => {
    const direct = Object.keys(PEERS).filter((each) => each in dependencies || each in peerDependencies);
    const inherited = Object.keys(dependencies).flatMap((each) =>
      Object.keys(byName.get(each)?.peerDependencies ?? {}),
    );
    const { [PROGRAMS.has(name) ? 'dependencies' : 'peerDependencies']: place = {} } = manifest;
    for (const each of new Set([...direct, ...inherited])) expect(place[each], each).toBe(PEERS[each]);
  });
});
