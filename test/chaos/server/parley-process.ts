import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));
const READY_MILLISECONDS = 60_000;
const STOP_MILLISECONDS = 30_000;
const ADDRESS = /(http:\/\/127\.0\.0\.1:\d+)\/a2a\/rest/;

export interface ParleyOptions {
  dataFolder: string;
  /** The path of an agent module; the demo agent unless given. */
  agent?: string;
  graceSeconds?: number;
}

/** One real `parley serve` on a free port, from its start to its end. */
export class ParleyProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #watchers: { pattern: RegExp; found: (match: RegExpExecArray) => void }[] = [];
  #output = '';
  #ended = false;

  constructor(options: ParleyOptions) {
    const words = ['serve', '--port', '0', '--grpc-port', 'off', '--log-level', 'info'];
    words.push('--data', options.dataFolder);
    if (options.agent !== undefined) words.push('--agent', options.agent);
    if (options.graceSeconds !== undefined) words.push('--grace', String(options.graceSeconds));
    this.#child = spawn(process.execPath, [MAIN, ...words], {
      cwd: options.dataFolder,
      env: { NO_COLOR: '1', NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#exited = once(this.#child, 'exit').then(() => (this.#ended = true));
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#read(text));
  }

  /** The address under which it has announced itself. */
  async ready(): Promise<string> {
    const match = await this.#printed(ADDRESS, READY_MILLISECONDS);
    return match[1] as string;
  }

  /** Resolves when it has printed something that matches, or has ended. */
  async printedOrEnded(pattern: RegExp): Promise<void> {
    await this.#printed(pattern, READY_MILLISECONDS).catch((error: unknown) => {
      if (!this.#ended) throw error;
    });
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  /** Ends it as Ctrl-C does and expects it to end in good order. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MILLISECONDS);
    await this.#exited;
    clearTimeout(timer);
    if (this.#child.exitCode !== 0) {
      const { exitCode, signalCode } = this.#child;
      throw new Error(
        `Expected exit code 0 after SIGTERM, found ${exitCode ?? signalCode}:\n${this.#output}`,
      );
    }
  }

  /** Memory it occupies; undefined where the system does not tell. */
  residentBytes(): number | undefined {
    if (process.platform !== 'linux') return undefined;
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    const match = /^VmRSS:\s+(\d+) kB$/m.exec(status);
    return match === null ? undefined : Number(match[1]) * 1024;
  }

  #read(text: string): void {
    this.#output = (this.#output + text).slice(-20_000);
    for (const watcher of this.#watchers.slice()) {
      const match = watcher.pattern.exec(this.#output);
      if (match !== null) watcher.found(match);
    }
  }

  async #printed(pattern: RegExp, withinMilliseconds: number): Promise<RegExpExecArray> {
    const already = pattern.exec(this.#output);
    if (already !== null) return already;
    const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
    const watcher = { pattern, found: resolve };
    this.#watchers.push(watcher);
    const giveUp = (): void =>
      reject(new Error(`Expected ${pattern} from parley serve, found:\n${this.#output}`));
    const timer = setTimeout(giveUp, withinMilliseconds);
    void this.#exited.then(giveUp);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#watchers.splice(this.#watchers.indexOf(watcher), 1);
    }
  }
}
