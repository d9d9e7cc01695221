import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { spawnHoldword } from '../../test/support/spawn-holdword.ts';

test('the example runs and its assertions hold', async () => {
  const holdword = await spawnHoldword(['--store', 'memory']);
  onTestFinished(() => holdword.kill());
  const script = join(import.meta.dirname, 'delegate.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, holdword.target.baseUrl]);
  expect(stdout.trim().split('\n')).toHaveLength(5);
});
