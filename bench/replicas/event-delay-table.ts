import { formatNumber, formatTable } from '../report/table.ts';
import type { EventDelays } from './event-delays.ts';

/** One table for each situation in which delays were measured. */
export function formatEventDelays(situation: string, delays: EventDelays): string {
  return formatTable(
    [`event of a task, ${situation}`, 'p50 ms', 'p99 ms'],
    [
      ['read on the replica that runs it', formatNumber(delays.ownP50), formatNumber(delays.ownP99)],
      ['read on the other replica', formatNumber(delays.otherP50), formatNumber(delays.otherP99)],
      ['difference', formatNumber(delays.moreP50), formatNumber(delays.moreP99)],
    ],
  );
}
