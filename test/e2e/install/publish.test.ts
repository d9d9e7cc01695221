import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { publishPackages } from '../../../scripts/build/publish-packages.ts';
import { startPackageRegistry } from '../../docs/package-registry.ts';
import { packedPackages } from '../../docs/packed-packages.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('a release publishes what the registry does not have', { timeout: 600_000 }, async () => {
  const folder = await packedPackages();
  const tarballs = await readdir(folder);
  const publishable = ['net', 'protocol'].map((name) => {
    const [file = '', version = ''] =
      tarballs
        .map((each) => new RegExp(`^holdword-${name}-(.*)\\.tgz$`).exec(each))
        .find((match) => match !== null) ?? [];
    return { name: `@holdword/${name}`, version, file, tarball: join(folder, file) };
  });

  const published = await temporaryFolder();
  onTestFinished(() => published.remove());
  const [net] = publishable;
  await copyFile(net?.tarball ?? '', join(published.path, net?.file ?? ''));
  const registry = await startPackageRegistry(published.path);
  onTestFinished(() => registry.close());

  const environment = { ...process.env, 'npm_config_@holdword:registry': registry.url };
  expect(await publishPackages(publishable, ['--dry-run', '--loglevel=error'], environment)).toEqual([
    '@holdword/protocol',
  ]);
});
