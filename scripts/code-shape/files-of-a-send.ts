import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const PROGRAM = join(import.meta.dirname, 'send-with-coverage.ts');

/** The product files that run code on the main thread while a warm server answers one SendMessage. */
export async function filesOfASend(): Promise<string[]> {
  const child = spawn(process.execPath, [PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] });
  const files: string[] = JSON.parse(await text(child.stdout));
  return files;
}
