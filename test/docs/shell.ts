import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { collect, type Output } from './collect.ts';

/** The terminal of a reader: what one block sets, the next one has. A command that fails ends it. */
export class Shell {
  readonly #child: ChildProcess;
  readonly #output: Output;
  readonly #closed: Promise<{ code: string }>;
  /** Where a block is kept while it runs. */
  readonly #script: string;

  constructor(options: { folder: string; script: string; environment: NodeJS.ProcessEnv }) {
    this.#script = options.script;
    this.#child = spawn('bash', ['-euo', 'pipefail', '-s'], {
      cwd: options.folder,
      env: options.environment,
      // A process group of its own, so that a signal reaches whatever a block has left running.
      detached: true,
    });
    this.#output = collect(this.#child);
    this.#closed = once(this.#child, 'close').then(([code]) => ({ code: String(code) }));
  }

  /** Runs a block to its end and returns what it has printed to standard output. */
  async run(block: string): Promise<string> {
    const printedBefore = this.#output.printed().length;
    const allBefore = this.#output.all().length;
    const mark = `ended ${randomUUID()}`;
    await writeFile(this.#script, block);
    this.#child.stdin?.write(`. '${this.#script}' < /dev/null\nprintf '%s' '${mark}'\n`);
    while (!this.#output.printed().endsWith(mark)) {
      const more = once(this.#child.stdout ?? this.#child, 'data').then(() => undefined);
      const ended = await Promise.race([more, this.#closed]);
      if (ended === undefined) continue;
      throw new Error(`ended with ${ended.code}:\n${block}\n${this.#output.all().slice(allBefore)}`);
    }
    return this.#output.printed().slice(printedBefore, -mark.length);
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    if (this.#child.pid !== undefined) process.kill(-this.#child.pid, 'SIGTERM');
    await this.#closed;
  }
}
