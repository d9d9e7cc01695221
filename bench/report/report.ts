import { formatNumber, formatTable } from './table.ts';
import type { Target } from './target.ts';

/** The result of a bench. Its JSON form has exactly these fields. */
export interface Report {
  readonly bench: string;
  readonly peers: Readonly<Record<string, Readonly<Record<string, number | readonly number[]>>>>;
  /** Ours divided by that peer. */
  readonly ratios: Readonly<Record<string, number>>;
  readonly targets: readonly Target[];
}

/** A report, and its figures as tables for people. */
export interface BenchResult {
  readonly report: Report;
  readonly tables: readonly string[];
}

export function formatResult({ report, tables }: BenchResult): string {
  return [...tables, formatTargets(report.targets)].join('\n\n');
}

export function isMet(report: Report): boolean {
  return report.targets.every((target) => target.met);
}

function formatTargets(targets: readonly Target[]): string {
  const rows = targets.map(({ name, target, measured, met }) => [
    name,
    formatNumber(target),
    measured === null ? 'not measured' : formatNumber(measured),
    met ? 'met' : 'MISSED',
  ]);
  return formatTable(['target', 'wanted', 'measured', ''], rows);
}
