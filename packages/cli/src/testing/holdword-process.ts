import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
/** Compiled code shared by all runs: a start takes half the time. */
const COMPILE_CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/holdword', import.meta.url));
/** The environment variables that a program needs to run. Settings of the developer are not passed on. */
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR'];
const KEPT_OUTPUT = 20_000;
const PRINT_MILLISECONDS = 60_000;
const STOP_MILLISECONDS = 30_000;

export interface HoldwordProcessOptions {
  /** Another program to run in the same way, such as an example. */
  program?: string;
  /** Another Node than that of the tests. */
  node?: string;
  nodeArguments?: readonly string[];
  cwd?: string;
  environment?: Readonly<Record<string, string>>;
}

/** The program in a separate process, as a user runs it. */
export class HoldwordProcess {
  /** The exit code, once it has exited and all its output was read. */
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;
  #output = '';
  #results = '';
  #errors = '';
  #more = Promise.withResolvers<void>();
  #hasEnded = false;

  constructor(words: readonly string[], options: HoldwordProcessOptions = {}) {
    const { node = process.execPath, nodeArguments = [], program = MAIN } = options;
    this.#child = spawn(node, [...nodeArguments, program, ...words], {
      cwd: options.cwd,
      env: {
        ...passedOn(),
        NO_COLOR: '1',
        NODE_NO_WARNINGS: '1',
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        ...options.environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#results = (this.#results + text).slice(-KEPT_OUTPUT);
      this.#read(text);
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-KEPT_OUTPUT);
      this.#read(text);
    });
    this.ended = once(this.#child, 'close').then(([code]: (number | null)[]) => {
      this.#hasEnded = true;
      this.#wakeReaders();
      return code ?? null;
    });
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('The program could not be started.');
    return this.#child.pid;
  }

  /** The end of its output so far, stdout and stderr. */
  output(): string {
    return this.#output;
  }

  /** The end of what it has written to stdout so far. */
  stdout(): string {
    return this.#results;
  }

  /** The end of what it has written to stderr so far. */
  errors(): string {
    return this.#errors;
  }

  /** Resolves with the first match in the output; rejects if the process exits without one, or on a timeout. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    const late = AbortSignal.timeout(PRINT_MILLISECONDS);
    late.addEventListener('abort', () => this.#wakeReaders());
    for (;;) {
      const match = pattern.exec(this.#output);
      if (match !== null) return match;
      if (this.#hasEnded || late.aborted) {
        const what = this.#hasEnded ? 'exited' : 'timed out';
        throw new Error(`holdword ${what} without printing ${pattern}:\n${this.#output}`);
      }
      await this.#more.promise;
    }
  }

  /** Resolves when it has printed something that matches, or has exited. */
  async printedOrEnded(pattern: RegExp): Promise<void> {
    await this.printed(pattern).catch((error: unknown) => {
      if (!this.#hasEnded) throw error;
    });
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Kills it, as a crash would. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.ended;
  }

  /** Stops it with SIGTERM, and with SIGKILL if that takes too long. Resolves with its exit code. */
  async stop(): Promise<number | null> {
    this.signal('SIGTERM');
    const timer = setTimeout(() => this.signal('SIGKILL'), STOP_MILLISECONDS);
    const code = await this.ended;
    clearTimeout(timer);
    return code;
  }

  /** Its resident memory; undefined outside Linux. */
  residentBytes(): number | undefined {
    return this.#memory('VmRSS');
  }

  /** The most resident memory that it has had; undefined outside Linux. */
  peakResidentBytes(): number | undefined {
    return this.#memory('VmHWM');
  }

  #memory(field: 'VmRSS' | 'VmHWM'): number | undefined {
    if (process.platform !== 'linux') return undefined;
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    const match = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status);
    return match === null ? undefined : Number(match[1]) * 1024;
  }

  /** The processor time that it has used so far. Linux only. */
  processorSeconds(): number {
    const fields = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8').split(' ');
    // User and system time, in hundredths of a second.
    return (Number(fields[13]) + Number(fields[14])) / 100;
  }

  /** Stops reading its standard error, as a log collector that has crashed does. */
  closeErrorOutput(): void {
    this.#child.stderr?.destroy();
  }

  #read(text: string): void {
    this.#output = (this.#output + text).slice(-KEPT_OUTPUT);
    this.#wakeReaders();
  }

  #wakeReaders(): void {
    this.#more.resolve();
    this.#more = Promise.withResolvers();
  }
}

function passedOn(): Record<string, string> {
  return Object.fromEntries(
    PASSED_ON.map((name) => [name, process.env[name]]).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
}
