import { createRequire } from 'node:module';

export function version(): string {
  const manifest: { version: string } = createRequire(import.meta.url)('parley/package.json');
  return manifest.version;
}
