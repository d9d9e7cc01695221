import { existsSync } from 'node:fs';
import { ProcessRecords } from './process-records.ts';
import { ProcessSweeper } from './process-sweeper.ts';
import type { ProcessTableOptions } from './process-table.ts';

/**
 * Ends the agent processes that an earlier server on this folder left running when it died, whichever agent it served.
 * Resolves when none is left.
 */
export async function endLeftBehind({ folder, log }: ProcessTableOptions): Promise<void> {
  if (!existsSync(folder)) return;
  const records = new ProcessRecords(folder);
  const leftBehind = records.leftBehind();
  if (leftBehind.length === 0) return;
  log.warn('Ending agent processes that an earlier server left running.', { count: leftBehind.length });
  const sweeper = new ProcessSweeper(records, log);
  await Promise.all(leftBehind.map((record) => sweeper.sweep(record)));
}
