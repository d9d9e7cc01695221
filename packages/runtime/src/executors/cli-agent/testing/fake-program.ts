import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from './start-cli-agent.ts';

/** An executable shell script in place of a program that is not installed. */
export async function fakeProgram(script: string): Promise<string> {
  const file = join(await temporaryFolder(), 'program');
  await writeFile(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}
