import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { replaceFile, replaceSharedFile } from './replace-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdword-replace-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('leaves only the file when several writers replace it at once', async () => {
  const file = join(folder, 'file');
  await replaceFile(file, 'first');
  const contents = Array.from({ length: 8 }, (_, index) => `${index}`.repeat(10_000));
  await Promise.all(
    contents.map((content) => replaceSharedFile(file, (handle) => handle.writeFile(content))),
  );
  expect(contents).toContain(await readFile(file, 'utf8'));
  expect(await readdir(folder)).toEqual(['file']);
});

it('keeps the old content when writing fails', async () => {
  const file = join(folder, 'file');
  await replaceFile(file, 'old');
  const failing = replaceSharedFile(file, async (handle) => {
    await handle.writeFile('half');
    throw new Error('the source broke off');
  });
  await expect(failing).rejects.toThrow('the source broke off');
  expect(await readFile(file, 'utf8')).toBe('old');
  expect(await readdir(folder)).toEqual(['file']);
});
