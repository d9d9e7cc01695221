import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HoldwordProcess } from '@holdword/cli/testing';
import { ReaderMachine } from '../../docs/reader-machine.ts';

const run = promisify(execFile);

/** What a user may have in a project already: the oldest peers that are accepted, and an OpenTelemetry SDK. */
const OF_THE_USER = [
  'zod@4.3.0',
  '@opentelemetry/api@1.9.0',
  '@opentelemetry/sdk-trace-base@2',
  '@types/node@24',
];

const OURS = [
  '@holdword/cli',
  '@holdword/client',
  '@holdword/hub',
  '@holdword/net',
  '@holdword/openclaw-a2a-inbound',
  '@holdword/openclaw-a2a-outbound',
  '@holdword/protocol',
  '@holdword/runtime',
  '@holdword/store',
];

/** A folder outside the clone with a user's programs, and all packages installed by npm from their tarballs. */
export class InstalledProject {
  readonly folder: string;

  static async create(): Promise<InstalledProject> {
    const machine = await ReaderMachine.open();
    const folder = await mkdtemp(join(tmpdir(), 'holdword-install-'));
    try {
      await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }));
      await cp(join(import.meta.dirname, 'programs'), folder, { recursive: true });
      await run('npm', ['install', ...OF_THE_USER, ...OURS], {
        cwd: folder,
        env: machine.environment({ installed: false }),
      });
      return new InstalledProject(folder);
    } catch (error) {
      await rm(folder, { recursive: true });
      throw error;
    } finally {
      await machine.close();
    }
  }

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Runs the command that npm has installed, on a version of Node. */
  holdword(node: string, words: readonly string[], nodeArguments: readonly string[] = []): HoldwordProcess {
    const program = join(this.folder, 'node_modules', '@holdword', 'cli', 'dist', 'main.js');
    return new HoldwordProcess(words, { node, nodeArguments, program, cwd: this.folder });
  }

  /** Runs a program of the user to its end and returns what it prints. */
  async run(node: string, ...words: string[]): Promise<string> {
    const { stdout } = await run(node, words, { cwd: this.folder });
    return stdout;
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
