import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { spawnParley } from '../../test/support/spawn-parley.ts';

test('the conversation goes as its assertions say', async () => {
  const parley = await spawnParley(['--store', 'memory']);
  onTestFinished(() => parley.kill());
  const script = join(import.meta.dirname, 'delegate.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, parley.target.baseUrl]);
  expect(stdout.trim().split('\n')).toHaveLength(5);
});
