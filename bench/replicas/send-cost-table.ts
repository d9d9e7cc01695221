import { formatNumber, formatTable } from '../report/table.ts';
import type { SendCost } from './send-cost.ts';

/** One row for each contender that is one server. */
export function formatSendCosts(
  contenders: readonly { name: string; title: string }[],
  costs: Readonly<Record<string, SendCost>>,
): string {
  const rows = contenders.flatMap(({ name, title }) => {
    const cost = costs[name];
    return cost === undefined ? [] : [row(title, cost)];
  });
  return formatTable(['what one send costs', 'server µs', 'database µs', 'log bytes'], rows);
}

function row(title: string, { serverMicroseconds, databaseMicroseconds, logBytes }: SendCost): string[] {
  return [title, ...[serverMicroseconds, databaseMicroseconds, logBytes].map(formatCost)];
}

function formatCost(cost: number): string {
  return Number.isNaN(cost) ? 'not measured' : formatNumber(cost);
}
