import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');

/** Something that users import: `@holdword/runtime/adapter`. */
export interface PublicEntry {
  readonly specifier: string;
  /** Names its report and its page: `runtime-adapter`. */
  readonly page: string;
  /** Its source, from the root of the workspace. */
  readonly file: string;
}

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string>>;
}

/** The sources behind everything that packages of the workspace can import of each other, by specifier. */
export const ENTRY_FILES: ReadonlyMap<string, string> = new Map(
  readdirSync(join(ROOT, 'packages')).flatMap((folder) => {
    const manifest: Manifest = JSON.parse(
      readFileSync(join(ROOT, 'packages', folder, 'package.json'), 'utf8'),
    );
    return Object.entries(manifest.exports)
      .filter(([, path]) => path.endsWith('.ts'))
      .map(([entry, path]) => [manifest.name + entry.slice(1), join('packages', folder, path)] as const);
  }),
);

/** The entries that are documented. OpenClaw loads its plugins; programs do not import them. */
export const PUBLIC_ENTRIES: readonly PublicEntry[] = [...ENTRY_FILES]
  .filter(([specifier]) => !/\/(internal|testing)(\/|$)|\/openclaw-/.test(specifier))
  .map(([specifier, file]) => ({
    specifier,
    page: specifier.replace('@holdword/', '').replaceAll('/', '-'),
    file,
  }))
  .toSorted((one, other) => (one.page < other.page ? -1 : 1));
