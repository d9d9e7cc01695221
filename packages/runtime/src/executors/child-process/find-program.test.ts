import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../cli-agent/testing/start-cli-agent.ts';
import { programProblem } from './find-program.ts';

test('a program is found by its name, its path and its relative path', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'bin'));
  const program = join(folder, 'bin', 'tool');
  await writeFile(program, '#!/bin/sh\n');
  const at = (file: string, path = `/nowhere:${join(folder, 'bin')}`) =>
    programProblem({ file, path, workingDirectory: folder });

  for (const file of ['tool', program, 'bin/tool']) {
    expect(at(file)).toBe(
      `The program "${file}" is not executable. Check its permissions, or configure another path.`,
    );
  }
  await chmod(program, 0o755);
  for (const file of ['tool', program, 'bin/tool']) expect(at(file)).toBeUndefined();
  const missing = 'The program "tool" was not found. Install it, or configure its path.';
  expect(at('tool', '/nowhere')).toBe(missing);
  expect(programProblem({ file: 'tool', path: undefined, workingDirectory: folder })).toBe(missing);
  expect(at('./bin')).toContain('is not executable');
});
