import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, type SourceFile } from './read-sources.ts';

/** Which files each file imports, both as paths from the root. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

export function importGraph(sources: readonly SourceFile[]): ImportGraph {
  const entries = packageEntries();
  const known = new Set(sources.map(({ path }) => path));
  return new Map(
    sources.map(({ path, imports }) => {
      const targets = imports.map((specifier) =>
        specifier.startsWith('.') ? join(path, '..', specifier) : entries.get(specifier),
      );
      return [path, [...new Set(targets)].filter((target) => target !== undefined && known.has(target))] as [
        string,
        string[],
      ];
    }),
  );
}

/** The file behind each name that a package exports. */
function packageEntries(): Map<string, string> {
  return new Map(
    readdirSync(join(root, 'packages')).flatMap((folder) => {
      const manifest: { name: string; exports?: Record<string, string> } = JSON.parse(
        readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'),
      );
      return Object.entries(manifest.exports ?? {}).map(([subpath, file]): [string, string] => [
        join(manifest.name, subpath),
        join('packages', folder, file),
      ]);
    }),
  );
}

/**
 * Groups of folders, and files beside them, that import each other in a circle: at each level of the tree, what is below
 * a folder counts as the folder.
 */
export function folderCyclesIn(graph: ImportGraph): string[][] {
  const levels = new Map<string, Map<string, Set<string>>>();
  for (const [from, targets] of graph) {
    for (const to of targets) {
      const { parent, left, right } = forkOf(from, to);
      const level = levels.get(parent) ?? new Map<string, Set<string>>();
      levels.set(parent, level.set(left, (level.get(left) ?? new Set()).add(right)));
    }
  }
  return [...levels.values()].flatMap((level) =>
    cyclesIn(new Map([...level].map(([node, targets]) => [node, [...targets]]))),
  );
}

/** The deepest folder that holds both files, and what is directly in it on the way to each. */
function forkOf(from: string, to: string): { parent: string; left: string; right: string } {
  const [one, other] = [from.split('/'), to.split('/')];
  const depth = one.findIndex((name, index) => name !== other[index]);
  return {
    parent: one.slice(0, depth).join('/'),
    left: one.slice(0, depth + 1).join('/'),
    right: other.slice(0, depth + 1).join('/'),
  };
}

/** Groups of files that import each other in a circle: the strongly connected components of more than one file. */
export function cyclesIn(graph: ImportGraph): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (node: string): void => {
    const own = order.size;
    order.set(node, own);
    lowest.set(node, own);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) {
        lowest.set(node, Math.min(lowest.get(node) ?? own, lowest.get(next) ?? own));
      }
    }
    if (lowest.get(node) !== own) return;
    const component = stack.splice(stack.indexOf(node));
    if (component.length > 1) cycles.push(component.toSorted());
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return cycles;
}
