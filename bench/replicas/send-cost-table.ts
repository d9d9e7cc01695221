import { formatNumber, formatTable } from '../report/table.ts';
import type { SendCost } from './send-cost.ts';

/** One row for each contender whose sends were measured. */
export function formatSendCosts(
  contenders: readonly { name: string; title: string }[],
  costs: Readonly<Record<string, SendCost>>,
): string {
  const rows = contenders.flatMap(({ name, title }) => {
    const cost = costs[name];
    return cost === undefined ? [] : [row(title, cost)];
  });
  return formatTable(['cost of one send', 'server µs', 'database µs', 'log bytes', 'other replica µs'], rows);
}

function row(title: string, cost: SendCost): string[] {
  const { serverMicroseconds, databaseMicroseconds, logBytes, otherReplicaMicroseconds } = cost;
  const known = [serverMicroseconds, databaseMicroseconds, logBytes].map(formatCost);
  const other = otherReplicaMicroseconds === undefined ? '' : formatCost(otherReplicaMicroseconds);
  return [title, ...known, other];
}

function formatCost(cost: number): string {
  return Number.isNaN(cost) ? 'not measured' : formatNumber(cost);
}
