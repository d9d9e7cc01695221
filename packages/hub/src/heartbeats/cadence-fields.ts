import type { JsonObject } from '@holdword/protocol';
import { isoTime } from '../wire/times.ts';
import type { HeartbeatSeries } from './heartbeat-series.ts';
import { type Cadence, recommendCadence } from './recommend-cadence.ts';

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
