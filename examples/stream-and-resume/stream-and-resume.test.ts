import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { spawnHoldword } from '../../test/support/spawn-holdword.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';

const run = (url: string) =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, 'stream-and-resume.mjs'), url]);

test('a dropped stream is resumed without a gap', async () => {
  const holdword = await spawnHoldword(['--store', 'memory']);
  onTestFinished(() => holdword.kill());
  const { stdout } = await run(holdword.target.baseUrl);
  expect(stdout).toContain('resumed: 23 events in total');
});

test('it fails against an agent that does not count', async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const silent = join(folder.path, 'silent.mjs');
  await writeFile(silent, 'export default { async execute() {} };');
  const holdword = await spawnHoldword(['--store', 'memory', '--agent', silent]);
  onTestFinished(() => holdword.kill());
  await expect(run(holdword.target.baseUrl)).rejects.toThrow('AssertionError');
});
