import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import type { PackedPackage } from './pack-packages.ts';

/** Publishes tarballs with npm, in their order, and skips versions that the registry already has. */
export function publishPackages(packages: readonly PackedPackage[], npmArguments: readonly string[]): void {
  for (const { name, version, tarball } of packages) {
    if (isPublished(name, version)) {
      console.log(`${name}@${version} is already published`);
      continue;
    }
    // npm wants a tag for what is not a release: nobody gets it who did not ask for it.
    const tag = version.includes('-') ? ['--tag', 'next'] : [];
    const { status } = npm(['publish', tarball, '--access', 'public', ...tag, ...npmArguments], 'inherit');
    if (status !== 0)
      throw new Error(`npm publish failed for ${name}@${version}; run the command again to resume.`);
  }
}

function isPublished(name: string, version: string): boolean {
  const { status, stdout, stderr } = npm(['view', `${name}@${version}`, 'version', '--json'], 'pipe');
  if (status === 0) return stdout.includes(version);
  if (/\bE404\b/.test(stdout + stderr)) return false;
  throw new Error(`The registry could not be asked for ${name}@${version}:\n${stdout}${stderr}`);
}

function npm(npmArguments: readonly string[], output: 'inherit' | 'pipe'): SpawnSyncReturns<string> {
  return spawnSync('npm', npmArguments, {
    encoding: 'utf8',
    stdio: ['inherit', output, output],
    shell: process.platform === 'win32',
  });
}
