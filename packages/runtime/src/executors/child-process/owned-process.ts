import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

export type PipedProcess = ChildProcessByStdio<Writable, Readable, Readable>;

export interface ProcessEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** How long output may go on after the end of the process: what is in the pipes arrives at once. */
const LAST_OUTPUT_MILLISECONDS = 2_000;

/**
 * A process that leads a group of its own, from its start to its end.
 *
 * Responsible for the group: it is signalled as a whole, and it ends with its leader, whatever that left running in it.
 * Leaves to the ProcessTable what has left the group.
 */
export class OwnedProcess {
  readonly #child: PipedProcess;
  readonly #pid: number;
  /** Resolves when the process has ended, its group with it. */
  readonly ended: Promise<ProcessEnd>;
  #hasEnded = false;

  constructor(child: PipedProcess) {
    if (child.pid === undefined) throw new Error('Expected a process that was started.');
    this.#child = child;
    this.#pid = child.pid;
    // A program need not read its input to the end.
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

  /** Asks the group to end, and kills it when it has not done so in time. Resolves when it has ended. */
  async stop(graceMilliseconds: number): Promise<void> {
    if (this.#hasEnded) return;
    this.#signalGroup('SIGTERM');
    const patience = new AbortController();
    const inTime = await Promise.race([
      this.ended.then(() => true),
      pause(graceMilliseconds, false, { signal: patience.signal }).catch(() => true),
    ]);
    patience.abort();
    if (!inTime) this.kill();
    await this.ended;
  }

  /** Ends the group at once; for the moments in which nothing can be waited for. */
  kill(): void {
    if (!this.#hasEnded) this.#signalGroup('SIGKILL');
  }

  async #watch(): Promise<ProcessEnd> {
    const [exitCode, signal] = (await once(this.#child, 'exit')) as [number | null, NodeJS.Signals | null];
    this.#signalGroup('SIGKILL');
    this.#hasEnded = true;
    void this.#closeOutput();
    return { exitCode, signal };
  }

  #signalGroup(signal: NodeJS.Signals): void {
    try {
      process.kill(-this.#pid, signal);
    } catch {
      // Nobody is left in it.
    }
  }

  /** Something that has left the group can hold the pipes open; nobody waits for that. */
  async #closeOutput(): Promise<void> {
    await pause(LAST_OUTPUT_MILLISECONDS, undefined, { ref: false });
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }
}
