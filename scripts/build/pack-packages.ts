import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPackages, type BuiltPackage } from './build-packages.ts';
import { packFolder } from './pack-folder.ts';

export interface PackedPackage extends BuiltPackage {
  /** What `npm publish`, `npm install` and `openclaw plugins install` take. */
  readonly tarball: string;
  readonly bytes: number;
}

/**
 * Builds every package below `buildFolder` and packs it into `tarballFolder`, from which older tarballs are removed.
 * Dependencies come before the packages that need them.
 */
export async function packPackages(buildFolder: string, tarballFolder: string): Promise<PackedPackage[]> {
  const built = await buildPackages(buildFolder);
  await mkdir(tarballFolder, { recursive: true });
  for (const name of await readdir(tarballFolder)) {
    if (name.endsWith('.tgz')) await rm(join(tarballFolder, name));
  }
  return Promise.all(
    built.map(async (each) => {
      const tarball = await packFolder(each.folder, tarballFolder);
      return { ...each, tarball, bytes: (await stat(tarball)).size };
    }),
  );
}
