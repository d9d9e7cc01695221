import type { JsonObject } from '@holdword/protocol';
import { isoTime } from '../contracts/session-fields.ts';
import type { HeartbeatSeries } from './heartbeat-series.ts';
import { recommendCadence, type Cadence } from './recommend-cadence.ts';

/** How often an agent should be heard of, from what it has said so far. */
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
  return `${mode === 'incident' ? 'Trouble' : 'Steady'}: ${reasons.join('; ')}.`;
}
