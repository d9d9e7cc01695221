import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MILLISECONDS = 10;

/** A gate between a test and an agent in another process, made of files that say what has happened. */
export class FileGate {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  /** Whether the agent waits at the gate or has passed it. */
  get isReached(): boolean {
    return existsSync(`${this.file}.reached`);
  }

  /** Whether a waiting agent was aborted. */
  get isCalledOff(): boolean {
    return existsSync(`${this.file}.called-off`);
  }

  open(): void {
    writeFileSync(`${this.file}.open`, '');
  }

  callOff(): void {
    writeFileSync(`${this.file}.called-off`, '');
  }

  /** Waits until the gate is open; rejects if the signal fires first. */
  async pass(signal: AbortSignal): Promise<void> {
    writeFileSync(`${this.file}.reached`, '');
    while (!existsSync(`${this.file}.open`)) await pause(LOOK_MILLISECONDS, undefined, { signal });
  }
}
