import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Role } from './contract.ts';
import { sourceFolder, type Command, type Language, type Peer } from './peers.ts';
import { runTool } from './programs.ts';

/** Where the SDKs and what is built with them are kept, so that a second run installs nothing. */
const CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'interop');

/** How the programs of a language are made ready, and started. */
interface Toolchain {
  /** The tools it needs, with a word that makes them print their version and exit. */
  readonly tools: readonly (readonly [string, string])[];
  install(folder: string): Promise<unknown>;
  command(folder: string, name: string): Command;
}

const TOOLCHAINS: Readonly<Record<Language, Toolchain>> = {
  python: {
    tools: [['python3', '--version']],
    async install(folder) {
      await rm(join(folder, 'venv'), { recursive: true, force: true });
      await runTool('python3', ['-m', 'venv', 'venv'], { cwd: folder });
      const words = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps'];
      await runTool(join(folder, 'venv', 'bin', 'python'), [...words, '-r', 'requirements.txt'], {
        cwd: folder,
      });
    },
    command: (folder, name) => ({
      file: join(folder, 'venv', 'bin', 'python'),
      words: [`${name}.py`],
      cwd: folder,
    }),
  },
  javascript: {
    tools: [['npm', '--version']],
    install: (folder) =>
      runTool('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder }),
    command: (folder, name) => ({ file: process.execPath, words: [`${name}.mjs`], cwd: folder }),
  },
  go: {
    tools: [['go', 'version']],
    install: (folder) =>
      runTool('go', ['build', '-mod=readonly', '-o', 'bin/', './...', 'tool'], { cwd: folder }),
    command: (folder, name) => ({ file: join(folder, 'bin', name), cwd: folder }),
  },
  rust: {
    tools: [['cargo', '--version']],
    install: (folder) => runTool('cargo', ['build', '--locked', '--quiet'], { cwd: folder }),
    command: (folder, name) => ({ file: join(folder, 'target', 'debug', name), cwd: folder }),
  },
  java: {
    tools: [
      ['java', '-version'],
      ['mvn', '--version'],
    ],
    install: (folder) =>
      runTool('mvn', ['--batch-mode', '--quiet', 'package', 'dependency:copy-dependencies'], { cwd: folder }),
    command: (folder, name) => ({
      file: 'java',
      words:
        name === 'client'
          ? ['-cp', ['target/classes', 'target/dependency/*'].join(':'), 'Client']
          : ['-jar', 'target/quarkus-app/quarkus-run.jar'],
      cwd: folder,
    }),
  },
};

/** The first tool of a language that the machine does not have. */
export async function missingTool(language: Language): Promise<string | undefined> {
  for (const [tool, word] of TOOLCHAINS[language].tools) {
    try {
      await runTool(tool, [word]);
    } catch {
      return tool;
    }
  }
  return undefined;
}

export interface InstalledPeer {
  command(role: Role): Command;
}

/**
 * Copies the programs of a peer to the cache, installs the SDK that its lock names from the registry of the language, and builds
 * them. Does nothing if that has been done with the same files.
 */
export async function installPeer(peer: Peer, onInstall: () => void): Promise<InstalledPeer> {
  const source = sourceFolder(peer);
  const folder = join(CACHE, peer.folder);
  await mkdir(folder, { recursive: true });
  // What the peers of a language share is next to them.
  await cp(dirname(source), dirname(folder), {
    recursive: true,
    filter: (path) => !path.startsWith(dirname(source) + '/') || isOwn(path, source),
  });
  const toolchain = TOOLCHAINS[peer.language];
  const stamp = join(folder, '.installed');
  const key = await hashOf(source);
  if ((await readFile(stamp, 'utf8').catch(() => '')) !== key) {
    onInstall();
    await toolchain.install(folder);
    await writeFile(stamp, key);
  }
  return {
    command: (role) => toolchain.command(folder, role === 'client' ? (peer.clientProgram ?? role) : role),
  };
}

function isOwn(path: string, source: string): boolean {
  const isShared = dirname(path) === dirname(source);
  return isShared ? path === source || /\.\w+$/.test(path) : path.startsWith(source);
}

/** Of the lock for languages that are run from source, and of everything for those that are compiled. */
async function hashOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names
    .filter((each) => each.isFile() && !/^(client|server)\.(py|mjs)$/.test(each.name))
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const file of files.toSorted()) hash.update(file.slice(folder.length)).update(await readFile(file));
  return hash.digest('hex');
}
