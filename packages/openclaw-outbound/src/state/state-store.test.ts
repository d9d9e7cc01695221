import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { StateStore } from './state-store.ts';

test('a record is created once when two processes race', async () => {
  const folder = await temporaryFolder();
  const [one, other] = [new StateStore({ folder }), new StateStore({ folder })];
  onTestFinished(async () => {
    await one.close();
    await other.close();
  });
  const [first, second] = await Promise.all([
    one.readOrCreate('signing', 'key', 'of one'),
    other.readOrCreate('signing', 'key', 'of the other'),
  ]);
  expect(second).toBe(first);
});

test('without a folder nothing is stored', async () => {
  const state = new StateStore({});
  state.write('a', 'b', 'c');
  expect(await state.read('a', 'b')).toBeUndefined();
  expect(await state.readOrCreate('a', 'b', 'own')).toBe('own');
  expect(state.isDurable).toBe(false);
  await state.close();
});

test('reopens after it was idle', async () => {
  const state = new StateStore({ folder: await temporaryFolder(), idleMilliseconds: 1 });
  onTestFinished(() => state.close());
  for (const value of ['one', 'two', 'three']) {
    state.write('a', 'b', value);
    await expect.poll(() => state.read('a', 'b'), { interval: 20 }).toBe(value);
  }
});

test('does not keep the process alive', async () => {
  const folder = await temporaryFolder();
  const script = join(folder, 'write.mjs');
  const module = join(import.meta.dirname, 'state-store.ts');
  await writeFile(
    script,
    `import { StateStore } from ${JSON.stringify(module)};
    new StateStore({ folder: ${JSON.stringify(folder)}, idleMilliseconds: 10 }).write('a', 'b', 'written');`,
  );
  const child = spawn(process.execPath, [script], { stdio: 'inherit' });
  expect(await once(child, 'exit')).toEqual([0, null]);
  const state = new StateStore({ folder });
  onTestFinished(() => state.close());
  expect(await state.read('a', 'b')).toBe('written');
});
