import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { WorkingDirectory } from './cli-agent-options.ts';

/** The working directory of the program for a context. The folder of a context is created on first use. */
export async function workingDirectoryFor(choice: WorkingDirectory, folderName: string): Promise<string> {
  if ('fixed' in choice) return resolve(choice.fixed);
  const folder = resolve(join(choice.perContextIn, folderName));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}
