import { cyclesIn, folderCyclesIn, importGraph, type ImportGraph } from './import-graph.ts';
import { readSources, type SourceFile } from './read-sources.ts';

/** An operation whose name nothing else shares. */
const OPERATION = /listTaskPushNotificationConfigs/i;

/** How the product is cut into files, and how hard it is to follow. */
export interface CodeShape {
  readonly files: number;
  readonly lines: number;
  readonly medianLines: number;
  readonly p90Lines: number;
  readonly longestFile: { readonly path: string; readonly lines: number };
  /** Share of files that exactly one other file imports. */
  readonly singleImporterShare: number;
  /** Share of lines that belong to import statements. */
  readonly importLineShare: number;
  readonly cycles: readonly (readonly string[])[];
  readonly folderCycles: readonly (readonly string[])[];
  /** Files that name one A2A operation. */
  readonly filesNamingOperation: readonly string[];
}

export async function measureCode(): Promise<CodeShape> {
  const sources = await readSources();
  const graph = importGraph(sources);
  const lengths = sources.map(linesOf).toSorted((a, b) => a - b);
  const lines = lengths.reduce((sum, length) => sum + length, 0);
  const [longest] = sources.toSorted((a, b) => linesOf(b) - linesOf(a));
  return {
    files: sources.length,
    lines,
    medianLines: quantile(lengths, 0.5),
    p90Lines: quantile(lengths, 0.9),
    longestFile: { path: longest?.path ?? '', lines: longest === undefined ? 0 : linesOf(longest) },
    singleImporterShare: singleImporters(graph) / sources.length,
    importLineShare: sources.reduce((sum, source) => sum + importLines(source), 0) / lines,
    cycles: cyclesIn(graph),
    folderCycles: folderCyclesIn(graph),
    filesNamingOperation: sources.filter(({ text }) => OPERATION.test(text)).map(({ path }) => path),
  };
}

function linesOf({ text }: SourceFile): number {
  return text.split('\n').length - 1;
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}

function singleImporters(graph: ImportGraph): number {
  const importers = new Map<string, number>();
  for (const target of [...graph.values()].flat()) importers.set(target, (importers.get(target) ?? 0) + 1);
  return [...importers.values()].filter((count) => count === 1).length;
}

function importLines({ text }: SourceFile): number {
  const statements = text.matchAll(/^import\b[^;]*;\n/gm);
  return [...statements].reduce((sum, [statement]) => sum + statement.split('\n').length - 1, 0);
}
