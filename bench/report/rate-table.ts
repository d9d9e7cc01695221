import type { Rate } from './rate.ts';
import { formatNumber, formatShare, formatTable } from './table.ts';

/** One row per measured peer. */
export function formatRates(
  subject: string,
  unit: string,
  peers: readonly { name: string; title: string }[],
  rates: Readonly<Record<string, Rate>>,
  ratios: Readonly<Record<string, number>>,
): string {
  const rows = peers.flatMap(({ name, title }) => {
    const rate = rates[name];
    return rate === undefined ? [] : [row(title, rate, ratios[name])];
  });
  return formatTable([subject, `${unit}/s`, 'spread', 'p50 ms', 'p99 ms', 'CPU µs', 'ours over it'], rows);
}

function row(title: string, rate: Rate, ratio: number | undefined): string[] {
  return [
    title,
    formatNumber(rate.perSecond),
    formatShare(rate.spread),
    formatNumber(rate.p50Milliseconds),
    formatNumber(rate.p99Milliseconds),
    Number.isNaN(rate.cpuMicroseconds) ? '' : formatNumber(rate.cpuMicroseconds),
    ratio === undefined ? '' : `${formatNumber(ratio)} ×`,
  ];
}
