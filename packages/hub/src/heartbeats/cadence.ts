import type { JsonObject } from '@holdword/protocol';
import { isoTime } from '../wire/times.ts';
import type { HeartbeatSeries, Sample } from './heartbeat-series.ts';
import { readSymptoms } from './symptoms.ts';

/** The recommended heartbeat interval and the reasons for it, with JSON field names. */
export interface Cadence {
  mode: 'steady' | 'incident';
  seconds: number;
  min_seconds: number;
  max_seconds: number;
  reasons: string[];
}

const STEADY = { usual: 45 * 60, min: 30 * 60, max: 60 * 60 };
const INCIDENT = { usual: 60, min: 30, max: 120 };

/** Recommends an interval from the agent's metrics: the newest ones compared with earlier ones. */
export function recommendCadence(samples: readonly Sample[]): Cadence {
  const newest = samples.at(-1);
  if (newest === undefined) return steady(STEADY.usual, ['no metrics yet']);
  const symptoms = readSymptoms(samples);
  if (symptoms.length > 0) return incident(symptoms.map(({ text }) => text));
  if ((newest.errors ?? 0) > 0) return steady(STEADY.min, [`${newest.errors} errors in the last hour`]);
  return steady(STEADY.usual, ['metrics are normal']);
}

/** The more symptoms, the shorter the interval; a single one may be chance. */
function incident(symptoms: string[]): Cadence {
  const seconds =
    symptoms.length === 1 ? INCIDENT.max : symptoms.length === 2 ? INCIDENT.usual : INCIDENT.min;
  return {
    mode: 'incident',
    seconds,
    min_seconds: INCIDENT.min,
    max_seconds: INCIDENT.max,
    reasons: symptoms,
  };
}

function steady(seconds: number, reasons: string[]): Cadence {
  return { mode: 'steady', seconds, min_seconds: STEADY.min, max_seconds: STEADY.max, reasons };
}

/** The recommended heartbeat interval, based on the agent's heartbeats so far. */
export function cadenceFields(
  series: HeartbeatSeries | undefined,
  now: number,
  cadence: Cadence = recommendCadence(series?.samples ?? []),
): JsonObject {
  const last = series?.samples.at(-1)?.at;
  return {
    recommended_cadence: { ...cadence },
    heartbeat_recommendation: {
      method: 'heartbeat/bundle',
      next_heartbeat_at: isoTime((last ?? now) + cadence.seconds * 1_000),
      last_heartbeat_at: last === undefined ? null : isoTime(last),
      why: whyOf(cadence),
    },
  };
}

function whyOf({ mode, reasons }: Cadence): string {
  return `${mode === 'incident' ? 'Incident' : 'Steady'}: ${reasons.join('; ')}.`;
}
