import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startPackageRegistry, type PackageRegistry } from './package-registry.ts';
import { packedPackages } from './packed-packages.ts';

/**
 * A machine as the pages expect it: the pinned Node and npm, and nothing of Holdword. The packages of this working tree
 * come from a registry on loopback; everything else from the ordinary one, or from npm's cache.
 */
export class ReaderMachine {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #commands: string;
  readonly #installed = new Map<string, Promise<unknown>>();
  readonly #folder: string;
  readonly #registry: PackageRegistry;

  /** `environment` is what else is set on that machine. */
  static async open(environment: NodeJS.ProcessEnv = {}): Promise<ReaderMachine> {
    const registry = await startPackageRegistry(await packedPackages());
    const folder = await mkdtemp(join(tmpdir(), 'holdword-reader-'));
    const outside = environmentOutside();
    return new ReaderMachine(folder, registry, {
      ...outside,
      ...(await npmSettings(outside)),
      ...environment,
    });
  }

  private constructor(folder: string, registry: PackageRegistry, outside: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#registry = registry;
    this.#commands = join(folder, 'global', 'bin');
    this.#environment = {
      ...outside,
      NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
      npm_config_prefix: join(folder, 'global'),
      'npm_config_@holdword:registry': registry.url,
      npm_config_prefer_offline: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
      PATH: [dirname(process.execPath), outside['PATH']].join(delimiter),
    };
  }

  /** What programs of a reader see: global commands only where that reader has installed them. */
  environment({ installed }: { installed: boolean }): NodeJS.ProcessEnv {
    const path = this.#environment['PATH'];
    return { ...this.#environment, PATH: installed ? [this.#commands, path].join(delimiter) : path };
  }

  /** What `which` prints of a command that was installed globally. */
  commandPath(name: string): string {
    return join(this.#commands, name);
  }

  /** Runs a global install once: npm takes seconds to find out that nothing has changed, and twenty pages begin with it. */
  async installGlobally(command: string): Promise<void> {
    const env = this.environment({ installed: false });
    const running = this.#installed.get(command) ?? promisify(execFile)('bash', ['-euc', command], { env });
    this.#installed.set(command, running);
    await running;
  }

  async close(): Promise<void> {
    await this.#registry.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** The environment without what `npm test` and Vitest have put into it. */
function environmentOutside(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|HOLDWORD_)/i.test(name));
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !/[/\\]node_modules[/\\]\.bin$|[/\\]node-gyp-bin$/.test(folder));
  return {
    ...Object.fromEntries(kept),
    // Some programs are silent when they see that a test runs them.
    NODE_ENV: undefined,
    DATABASE_URL: undefined,
    NO_COLOR: '1',
    PATH: path.join(delimiter),
  };
}

/** Where npm finds its settings and its cache. They stay the same when the prefix or the home is another one. */
async function npmSettings(outside: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const names = ['registry', 'cache', 'userconfig', 'globalconfig'];
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', ...names], {
    env: { ...outside, ...npmVariables(/^npm_config_(registry|cache|userconfig|globalconfig)$/) },
  });
  const found = [...stdout.matchAll(/^(\w+)=(.*)$/gm)];
  return Object.fromEntries(found.map(([, name = '', value]) => [`npm_config_${name}`, value]));
}

function npmVariables(wanted: RegExp): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => wanted.test(name)));
}
