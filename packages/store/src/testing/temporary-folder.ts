import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder {
  folder: string;
  remove: () => Promise<void>;
}

export async function makeTemporaryFolder(): Promise<TemporaryFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-store-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
