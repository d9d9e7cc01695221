import { createRequire } from 'node:module';

export function version(): string {
  const manifest: { version: string } = createRequire(import.meta.url)('@holdword/cli/package.json');
  return manifest.version;
}
