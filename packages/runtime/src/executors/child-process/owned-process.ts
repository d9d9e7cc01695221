import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { Timer } from '@holdword/protocol/internal';

export type PipedProcess = ChildProcessByStdio<Writable, Readable, Readable>;

export interface ProcessEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** How long to read output after the process has exited. What is in the pipes arrives at once. */
const LAST_OUTPUT_MILLISECONDS = 2_000;

/**
 * A process that leads its own process group, from its start to its end.
 *
 * Responsible for the group: it is signalled as a whole, and killed when its leader exits.
 * Leaves processes that have left the group to ProcessTable.
 */
export class OwnedProcess {
  readonly #child: PipedProcess;
  readonly #pid: number;
  /** Resolves when the process has exited and its group was killed. */
  readonly ended: Promise<ProcessEnd>;
  #hasEnded = false;

  constructor(child: PipedProcess) {
    if (child.pid === undefined) throw new Error('The process was not started.');
    this.#child = child;
    this.#pid = child.pid;
    // A program may exit without reading its input.
    child.stdin.on('error', () => {});
    this.ended = this.#watch();
  }

  get pid(): number {
    return this.#pid;
  }

  get standardInput(): Writable {
    return this.#child.stdin;
  }

  get standardOutput(): Readable {
    return this.#child.stdout;
  }

  get standardError(): Readable {
    return this.#child.stderr;
  }

  /** Sends SIGTERM to the group, and SIGKILL after the grace period. Resolves when it has ended. */
  async stop(graceMilliseconds: number): Promise<void> {
    if (this.#hasEnded) return;
    this.#signalGroup('SIGTERM');
    const timer = new Timer(graceMilliseconds, () => this.kill());
    await this.ended;
    timer[Symbol.dispose]();
  }

  /** Kills the group without waiting. */
  kill(): void {
    if (!this.#hasEnded) this.#signalGroup('SIGKILL');
  }

  async #watch(): Promise<ProcessEnd> {
    const [exitCode, signal] = (await once(this.#child, 'exit')) as [number | null, NodeJS.Signals | null];
    this.#signalGroup('SIGKILL');
    this.#hasEnded = true;
    this.#closeOutput();
    return { exitCode, signal };
  }

  #signalGroup(signal: NodeJS.Signals): void {
    try {
      process.kill(-this.#pid, signal);
    } catch {
      // The group is empty.
    }
  }

  /** A process that has left the group can hold the pipes open; nobody waits for it. */
  #closeOutput(): void {
    setTimeout(() => {
      this.#child.stdout.destroy();
      this.#child.stderr.destroy();
    }, LAST_OUTPUT_MILLISECONDS).unref();
  }
}
