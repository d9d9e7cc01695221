import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/** A file of the product: no test, nothing that only tests use. */
export interface SourceFile {
  /** From the root of the workspace, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

/** The product files of all packages. */
export async function readSources(): Promise<SourceFile[]> {
  const packages = await readdir(join(root, 'packages'));
  const folders = packages.map((name) => join(root, 'packages', name, 'src'));
  const files = (await Promise.all(folders.map(filesIn))).flat().filter(isProduct);
  return files.toSorted().map((file) => {
    const text = readFileSync(file, 'utf8');
    return { path: pathOf(file), text, imports: importsOf(text) };
  });
}

export function pathOf(file: string): string {
  return relative(root, file).split(sep).join('/');
}

export function isProduct(file: string): boolean {
  return /\.tsx?$/.test(file) && !file.endsWith('.test.ts') && !/[/\\]testing[/\\]/.test(file);
}

/** Static and dynamic imports, re-exports, and files that are started by their URL. */
export function importsOf(text: string): string[] {
  const statements = text.matchAll(/^(?:import|export)\b[^;'"]*\bfrom\s+'([^']+)'/gm);
  const bare = text.matchAll(/^import\s+'([^']+)'/gm);
  const calls = text.matchAll(/\bimport\(\s*'([^']+)'/g);
  const started = text.matchAll(/new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g);
  return [...statements, ...bare, ...calls, ...started].map((match) => match[1] ?? '');
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
