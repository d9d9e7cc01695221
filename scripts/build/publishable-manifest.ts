/** A package.json as far as the build reads it. */
export interface Manifest {
  name: string;
  version: string;
  bin?: Record<string, string>;
  exports?: Record<string, string>;
  devDependencies?: Record<string, string>;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  /** What makes the package a plugin of OpenClaw: the files that it loads. */
  openclaw?: { extensions?: string[]; setupEntry?: string; [field: string]: unknown };
  [field: string]: unknown;
}

type PublishedExport = string | { types: string; default: string };

/** The manifest of the built package, whose root is the folder that src was compiled to. */
export function publishableManifest(manifest: Manifest): Record<string, unknown> {
  const { devDependencies: _, scripts: __, ...kept } = manifest;
  return {
    ...kept,
    ...(manifest.bin && { bin: mapValues(manifest.bin, (path) => builtPath(path, '.js')) }),
    ...(manifest.exports && { exports: mapValues(withoutTestTools(manifest.exports), publishedExport) }),
    ...(manifest.openclaw && { openclaw: publishedPlugin(manifest.openclaw) }),
  };
}

/** Test tools need Vitest and are for this workspace alone. */
function withoutTestTools(exports: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(exports).filter(([, path]) => !path.includes('/testing/')));
}

function publishedExport(path: string): PublishedExport {
  if (!path.startsWith('./src/')) return path;
  return { types: builtPath(path, '.d.ts'), default: builtPath(path, '.js') };
}

function publishedPlugin(plugin: NonNullable<Manifest['openclaw']>): Record<string, unknown> {
  const { extensions, setupEntry } = plugin;
  return {
    ...plugin,
    ...(extensions && { extensions: extensions.map((path) => builtPath(path, '.js')) }),
    ...(setupEntry !== undefined && { setupEntry: builtPath(setupEntry, '.js') }),
  };
}

function builtPath(path: string, extension: string): string {
  return path.replace(/^\.\/src\//, './').replace(/\.ts$/, extension);
}

function mapValues<T>(record: Record<string, string>, change: (value: string) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
