import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder, type TemporaryFolder } from '../testing/temporary-folder.ts';
import { RecordsFile } from './records-file.ts';

describe('RecordsFile', () => {
  let temporary: TemporaryFolder;
  let path: string;
  beforeEach(async () => {
    temporary = await makeTemporaryFolder();
    path = join(temporary.folder, 'records.json');
  });
  afterEach(() => temporary.remove());

  it('shows a change once it is on disk and leaves no draft', async () => {
    const records = await RecordsFile.open(path);
    const change = records.change((table) => table.put('keys', 'a', 'value'));
    expect(records.committed.get('keys', 'a')).toBeUndefined();
    await change;
    expect(records.committed.get('keys', 'a')).toBe('value');
    expect(await readdir(temporary.folder)).toEqual(['records.json']);
    expect((await RecordsFile.open(path)).committed.get('keys', 'a')).toBe('value');
  });

  it.each([
    ['{"version":1,"records":[["keys","a"', 'corrupt'],
    ['[]', 'corrupt'],
    ['{"version":1,"records":[["keys","a",7]]}', 'corrupt'],
    ['{"version":2,"records":{}}', 'newer-version'],
  ])('rejects %s as %s and leaves it unchanged', async (content, code) => {
    await writeFile(path, content);
    await expect(RecordsFile.open(path)).rejects.toMatchObject({ code });
    expect(await readFile(path, 'utf8')).toBe(content);
  });
});
