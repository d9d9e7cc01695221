import type { Symptom } from '../incidents/symptom.ts';
import type { HeartbeatSeries } from './heartbeat-series.ts';
import { readSymptoms } from './read-symptoms.ts';

/** Heartbeats that are older say nothing about now. */
const FRESH_MILLISECONDS = 2 * 3_600_000;

/** What the last heartbeat of an agent shows, with its time; nothing where that is long ago. */
export function freshSymptoms(series: HeartbeatSeries | undefined, now: number): Symptom[] {
  const newest = series?.samples.at(-1);
  if (series === undefined || newest === undefined || now - newest.at > FRESH_MILLISECONDS) return [];
  const when = new Date(newest.at).toISOString();
  return readSymptoms(series.samples).map(({ metric, text }) => ({
    metric,
    text: `your heartbeat of ${when} has ${text}`,
  }));
}
