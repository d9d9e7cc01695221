import type { Sign } from '../incidents/sign.ts';
import type { HeartbeatSeries } from './heartbeat-series.ts';
import { readSigns } from './read-signs.ts';

/** Heartbeats that are older say nothing about now. */
const FRESH_MILLISECONDS = 2 * 3_600_000;

/** What the last heartbeat of an agent shows, with its time; nothing where that is long ago. */
export function freshSigns(series: HeartbeatSeries | undefined, now: number): Sign[] {
  const newest = series?.samples.at(-1);
  if (series === undefined || newest === undefined || now - newest.at > FRESH_MILLISECONDS) return [];
  const when = new Date(newest.at).toISOString();
  return readSigns(series.samples).map(({ figure, text }) => ({
    figure,
    text: `your heartbeat of ${when} has ${text}`,
  }));
}
