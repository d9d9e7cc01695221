import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { WorkingDirectory } from './cli-agent-options.ts';

/** The folder in which the program works for a context. A context's own is made when it is first needed. */
export async function workingDirectoryFor(choice: WorkingDirectory, folderName: string): Promise<string> {
  if ('fixed' in choice) return resolve(choice.fixed);
  const folder = resolve(join(choice.perContextIn, folderName));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}
