/** A package.json as far as the build reads it. */
export interface Manifest {
  name: string;
  version: string;
  /** In the sources always: what is published is what the build makes of them. */
  private?: boolean;
  bin?: Record<string, string>;
  exports?: Record<string, string>;
  /** Of a plugin: a source of types alone, which is published as its declarations. */
  types?: string;
  files?: string[];
  devDependencies?: Record<string, string>;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  /** What makes the package a plugin of OpenClaw: the files that it loads. */
  openclaw?: { extensions?: string[]; setupEntry?: string; [field: string]: unknown };
  [field: string]: unknown;
}

type PublishedExport = string | { types: string; default: string };

/** npm packs these whatever `files` says. */
const ALWAYS_PACKED = new Set(['package.json', 'README.md', 'LICENSE', 'node_modules']);

/** The manifest of a built library, which has its compiled code in dist. `files` are what lies in its folder. */
export function publishableManifest(manifest: Manifest, files: readonly string[]): Record<string, unknown> {
  return {
    ...withoutSourceFields(manifest),
    ...(manifest.bin && { bin: mapValues(manifest.bin, (path) => path.replace(SOURCE, 'dist/$1.js')) }),
    ...(manifest.exports && { exports: mapValues(withoutTestTools(manifest.exports), publishedExport) }),
    files: packedFiles(files),
  };
}

/** The manifest of a bundled plugin, which OpenClaw loads and of which programs import types alone. Its files lie in its root. */
export function pluginManifest(manifest: Manifest, files: readonly string[]): Record<string, unknown> {
  const { exports: _, ...kept } = withoutSourceFields(manifest);
  const { extensions, setupEntry, ...plugin } = manifest.openclaw ?? {};
  return {
    ...kept,
    ...(manifest.types !== undefined && {
      types: './index.d.ts',
      exports: {
        '.': { types: './index.d.ts', default: './index.js' },
        './package.json': './package.json',
        './openclaw.plugin.json': './openclaw.plugin.json',
      },
    }),
    files: packedFiles(files),
    openclaw: {
      ...(extensions && { extensions: extensions.map((path) => path.replace(SOURCE, './$1.js')) }),
      ...(setupEntry !== undefined && { setupEntry: setupEntry.replace(SOURCE, './$1.js') }),
      ...plugin,
    },
  };
}

/** A file of the sources, as a manifest names it. */
const SOURCE = /^\.\/src\/(.*)\.ts$/;

/** `private` and a script guard the sources, whose `files` is empty for the same reason. */
function withoutSourceFields(manifest: Manifest): Record<string, unknown> {
  const { private: _, files: __, scripts: ___, devDependencies: ____, ...kept } = manifest;
  return kept;
}

function packedFiles(files: readonly string[]): string[] {
  return files.filter((file) => !ALWAYS_PACKED.has(file)).toSorted();
}

/** Test tools need Vitest and are for this workspace alone. */
function withoutTestTools(exports: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(exports).filter(([, path]) => !path.includes('/testing/')));
}

function publishedExport(path: string): PublishedExport {
  if (!SOURCE.test(path)) return path;
  return { types: path.replace(SOURCE, './dist/$1.d.ts'), default: path.replace(SOURCE, './dist/$1.js') };
}

function mapValues<T>(record: Record<string, string>, change: (value: string) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
