import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A backend and the location of its data. */
export type CrashTarget =
  | readonly [backend: 'sqlite' | 'json-file', folder: string]
  | readonly [backend: 'postgres', url: string, schema: string];

export interface CrashChild {
  /** Kills the process (SIGKILL) after `acknowledgements`; returns the last one of each task. */
  killAfter(acknowledgements: number): Promise<Map<string, number>>;
}

/** Starts a process that writes as fast as it can and prints what was acknowledged. */
export async function startCrashChild(target: CrashTarget): Promise<CrashChild> {
  const script = fileURLToPath(new URL(`./crash-child${extname(import.meta.url)}`, import.meta.url));
  const child = spawn(process.execPath, [script, ...target], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.value !== 'open') throw new Error('The child process ended before it opened the store.');

  return {
    async killAfter(acknowledgements) {
      const acknowledged = new Map<string, number>();
      let count = 0;
      for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
        const [taskId = '', sequence = ''] = line.value.split(' ');
        acknowledged.set(taskId, Number(sequence));
        count += 1;
        if (count === acknowledgements) child.kill('SIGKILL');
      }
      await exited;
      return acknowledged;
    },
  };
}
