import type { Symptom } from '../incidents/symptom.ts';
import type { HeartbeatSeries } from './heartbeat-series.ts';
import { readSymptoms } from './read-symptoms.ts';

/** Older heartbeats say nothing about the current state. */
const FRESH_MILLISECONDS = 2 * 3_600_000;

/** The symptoms in an agent's last heartbeat, with its time; empty if that is too long ago. */
export function freshSymptoms(series: HeartbeatSeries | undefined, now: number): Symptom[] {
  const newest = series?.samples.at(-1);
  if (series === undefined || newest === undefined || now - newest.at > FRESH_MILLISECONDS) return [];
  const when = new Date(newest.at).toISOString();
  return readSymptoms(series.samples).map(({ metric, text }) => ({
    metric,
    text: `your heartbeat at ${when} reported ${text}`,
  }));
}
